package gitindex

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault/disk"
)

// change is the new entry of one name in the index.
type change struct {
	gone bool
	staged
}

// Save writes the index with the changes of a stage to path, durably. files are the files
// of its work tree.
func (x *Index) Save(ctx context.Context, files Files, s *Stage, path string) error {
	if err := files.freshen(ctx, x, s.changes); err != nil {
		return err
	}
	return disk.WriteParts(path, x.splice(s.changes), 0o644)
}

// splice returns the index with the changes made, in parts that follow each
// other: of the entries that stay, long runs are taken where they lie.
func (x *Index) splice(changes map[string]change) [][]byte {
	out := parts{done: [][]byte{nil}} // the header's place
	count, extended, from := 0, false, 0
	copyUpTo := func(to int) {
		if from < to {
			out.add(x.raw[x.at[from]:x.at[to]])
			count += to - from
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		i := x.search(name)
		copyUpTo(i)
		from = max(from, i)
		var old record
		for from < x.len() && x.recordAt(from).name() == name { // one, or the stages of a conflict
			old = x.recordAt(from)
			from++
		}
		if c := changes[name]; !c.gone {
			rec := encodeRecord(name, c.staged, old)
			extended = extended || rec.flags()&flagExtended != 0
			out.add(rec)
			count++
		}
	}
	copyUpTo(x.len())
	out.add(x.keptExtensions(changes))
	out.done[0] = x.fileHeader(count, extended)
	sum := sha1.New()
	for _, b := range append(out.done, out.last) {
		sum.Write(b)
	}
	return append(out.done, sum.Sum(out.last))
}

// parts are bytes that follow each other; small ones are put together in last.
type parts struct {
	done [][]byte
	last []byte
}

// longPart is from where on a copy costs more than a write of its own.
const longPart = 64 << 10

func (p *parts) add(b []byte) {
	if len(b) < longPart {
		p.last = append(p.last, b...)
		return
	}
	p.done, p.last = append(p.done, p.last, b), nil
}

// fileHeader returns the file's first 12 bytes; version 3 is for extended flags.
func (x *Index) fileHeader(count int, extended bool) []byte {
	version := uint32(2)
	if extended || len(x.raw) > 0 && binary.BigEndian.Uint32(x.raw[4:]) == 3 {
		version = 3
	}
	b := append(make([]byte, 0, indexHeader), "DIRC"...)
	b = binary.BigEndian.AppendUint32(b, version)
	return binary.BigEndian.AppendUint32(b, uint32(count))
}

// encodeRecord makes an entry. It keeps the flags that a person set on the old entry of
// that name.
func encodeRecord(name string, s staged, old record) record {
	b := make(record, entryFixed, paddedSize(entryFixed+2+len(name)))
	copy(b, s.stat[:])
	binary.BigEndian.PutUint32(b[statMode:], s.Mode)
	copy(b[entryID:], object.RawID(s.ID))
	flags, extended := uint16(min(len(name), flagName)), uint16(0)
	if s.intent {
		extended |= flagIntent
	}
	if s.skip {
		extended |= flagSkip
	}
	if old != nil {
		flags |= old.flags() & flagAssume
	}
	if extended != 0 {
		flags |= flagExtended
		b = binary.BigEndian.AppendUint16(b, extended)
	}
	binary.BigEndian.PutUint16(b[entryFlags:], flags)
	size := paddedSize(len(b) + len(name))
	b = append(b, name...)
	return append(b, make([]byte, size-len(b))...)
}

// keptExtensions returns the extensions that stay true: the cached trees with
// the changed folders taken out, the undo of resolved conflicts and, as
// StrangeExtension has seen to it, the untracked cache. The fsmonitor's bits
// and the tables of offsets go by position, and git makes them anew.
func (x *Index) keptExtensions(changes map[string]change) []byte {
	var out []byte
	for _, e := range x.extensions {
		data := e.data
		switch e.name {
		case "TREE":
			data = invalidateTrees(data, changes)
		case "REUC", "UNTR":
		default:
			continue
		}
		if data == nil {
			continue
		}
		out = append(out, e.name...)
		out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
		out = append(out, data...)
	}
	return out
}
