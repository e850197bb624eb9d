package graph

import "encoding/binary"

// texts keeps many short texts in few large blocks: a million strings of their own cost the
// collector as much memory as they hold.
type texts struct {
	blocks [][]byte
}

// textBlock is the size of a block. A group of texts that is longer has one of its own.
const textBlock = 1 << 20

// place is where a group of texts begins.
type place struct{ block, at uint32 }

// keepTexts keeps a group of texts.
func (t *texts) keepTexts(group ...string) place {
	size := 0
	for _, s := range group {
		size += binary.MaxVarintLen32 + len(s)
	}
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last])+size > cap(t.blocks[last]) {
		t.blocks = append(t.blocks, make([]byte, 0, max(textBlock, size)))
		last++
	}
	b := t.blocks[last]
	p := place{uint32(last), uint32(len(b))}
	for _, s := range group {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	t.blocks[last] = b
	return p
}

// groupTexts returns the texts of a group of three.
func (t *texts) groupTexts(p place) (all [3]string) {
	b := t.blocks[p.block][p.at:]
	for i := range all {
		size, n := binary.Uvarint(b)
		all[i], b = string(b[n:n+int(size)]), b[n+int(size):]
	}
	return all
}
