package static

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
)

// makeShelf returns the shelf of a tokenizer that was read whole. The same one gives the same
// bytes; nil if the tokens are too many or too long for one.
func makeShelf(t *tokenizer, key string) []byte {
	buckets := t.whole.buckets(max(len(t.whole.numbers)/perBucket, 1))
	l := label{Key: key, Form: t.form, Buckets: len(buckets)}
	var raw []byte
	for i, p := range []*part{t.Normalizer, t.PreTokenizer} {
		if p != nil {
			l.Parts[i] = &savedPart{p.Type, len(p.raw)}
			raw = append(raw, p.raw...)
		}
	}
	at := uint64(0)
	for _, b := range buckets {
		if len(b) > mostBucket {
			return nil
		}
		raw = binary.LittleEndian.AppendUint32(raw, uint32(at))
		at += uint64(len(b)) + 4
	}
	if at > math.MaxUint32 {
		return nil
	}
	raw = binary.LittleEndian.AppendUint32(raw, uint32(at))
	return l.shelf(raw, buckets)
}

// shelf puts a shelf together of the label, what lies behind it, and the buckets.
func (l label) shelf(raw []byte, buckets [][]byte) []byte {
	said, err := json.Marshal(l)
	if err != nil {
		return nil
	}
	head := append(append(binary.AppendUvarint(nil, uint64(len(said))), said...), raw...)
	all := binary.LittleEndian.AppendUint64([]byte(shelfMark), uint64(len(head)))
	all = append(all, head...)
	sum := checksum(0, all)
	all = binary.LittleEndian.AppendUint32(all, sum)
	for i, b := range buckets {
		all = append(all, b...)
		all = binary.LittleEndian.AppendUint32(all, bucketSum(sum, i, b))
	}
	return all
}

// buckets returns so many buckets with all tokens, those of one in their order.
func (r *resident) buckets(n int) [][]byte {
	tokens := make([][]string, n)
	for token := range r.numbers {
		i := bucketOf(token, n)
		tokens[i] = append(tokens[i], token)
	}
	all := make([][]byte, n)
	for i := range tokens {
		slices.Sort(tokens[i])
		for _, token := range tokens[i] {
			number, score, _ := r.find(token)
			b := binary.AppendUvarint(all[i], uint64(len(token)))
			b = append(b, token...)
			b = binary.LittleEndian.AppendUint32(b, uint32(number))
			all[i] = binary.LittleEndian.AppendUint64(b, math.Float64bits(score))
		}
	}
	return all
}
