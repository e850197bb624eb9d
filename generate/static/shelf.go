package static

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"io"
	"math"
	"os"
)

// A shelf is a tokenizer in a file, in which a few tokens are found without reading the others.
// It is derived from tokenizer.json: one that is missing, of another tokenizer.json or damaged
// is made again. All numbers are little-endian.
//
//	mark     16 bytes
//	length   of the head, 8 bytes
//	head     its label as JSON, the two parts and the starts of the buckets
//	sum      of all that comes before, 4 bytes
//	buckets  their tokens: length, bytes, number (4) and score (8); behind them the sum of the bucket
//
// A token lies in the bucket that its hash names.
const shelfMark = "cp-static-shelf1"

// label is the beginning of a shelf's head.
type label struct {
	Key     string // which tokenizer.json it was made of
	Form    form
	Parts   [2]*savedPart // the normaliser and the splitter; nil where there is none
	Buckets int
}

// savedPart is a part whose text lies behind the label.
type savedPart struct {
	Type string
	Size int
}

// perBucket is how many tokens a bucket has on average, mostBucket how many bytes at the most.
const (
	perBucket  = 8
	mostBucket = 1 << 20
)

// checksum goes on with the sum of what precedes b.
func checksum(before uint32, b []byte) uint32 {
	return crc32.Update(before, crc32.MakeTable(crc32.Castagnoli), b) // made once, when it is asked for
}

// errShelf is the error of a shelf that is not whole, or of another tokenizer.json.
var errShelf = errors.New("the shelf cannot be used")

// bucketOf returns the bucket of a token.
func bucketOf(token string, buckets int) int {
	h := fnv.New64a()
	_, _ = io.WriteString(h, token)
	return int(h.Sum64() % uint64(buckets))
}

// shelf is the head of one.
type shelf struct {
	label
	tokenizer *tokenizer // without its words
	starts    []uint32   // of each bucket, and the end of the last, from the first one's
	from      int64      // where the buckets begin
	sum       uint32     // of the head
}

// readShelf reads the head of a shelf that was made with that key.
func readShelf(f io.ReaderAt, size int64, key string) (*shelf, error) {
	head, err := readHead(f, size)
	if err != nil {
		return nil, errShelf
	}
	s := &shelf{from: int64(len(head)), sum: binary.LittleEndian.Uint32(head[len(head)-4:])}
	rest := head[len(shelfMark)+8 : len(head)-4]
	said, n := binary.Uvarint(rest)
	if n <= 0 || said > uint64(len(rest)-n) {
		return nil, errShelf
	}
	if err := json.Unmarshal(rest[n:n+int(said)], &s.label); err != nil || s.Key != key {
		return nil, errShelf
	}
	return s, s.readBehindLabel(rest[n+int(said):])
}

// readHead returns the mark, the length, the head and its sum.
func readHead(f io.ReaderAt, size int64) ([]byte, error) {
	var first [len(shelfMark) + 8]byte
	if _, err := f.ReadAt(first[:], 0); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(first[len(shelfMark):])
	if string(first[:len(shelfMark)]) != shelfMark || length > uint64(size) {
		return nil, errShelf
	}
	head := make([]byte, len(first)+int(length)+4)
	if _, err := f.ReadAt(head, 0); err != nil {
		return nil, err
	}
	end := len(head) - 4
	if checksum(0, head[:end]) != binary.LittleEndian.Uint32(head[end:]) {
		return nil, errShelf
	}
	return head, nil
}

// readBehindLabel reads what lies behind the label.
func (s *shelf) readBehindLabel(rest []byte) error {
	t := &tokenizer{form: s.Form}
	for i, to := range []**part{&t.Normalizer, &t.PreTokenizer} {
		saved := s.Parts[i]
		if saved == nil {
			continue
		}
		if saved.Size < 0 || saved.Size > len(rest) {
			return errShelf
		}
		*to = &part{Type: saved.Type, raw: rest[:saved.Size]}
		rest = rest[saved.Size:]
	}
	if s.Buckets < 1 || len(rest) != 4*(s.Buckets+1) {
		return errShelf
	}
	s.starts = make([]uint32, s.Buckets+1)
	for i := range s.starts {
		s.starts[i] = binary.LittleEndian.Uint32(rest[4*i:])
	}
	s.tokenizer = t
	return t.prepare()
}

// openTokenizer returns the tokenizer with the tokens of the shelf in the file.
func (s *shelf) openTokenizer(f *os.File) (*tokenizer, *shelved) {
	t, w := *s.tokenizer, &shelved{shelf: s, file: f}
	t.useWords(w)
	return &t, w
}

// shelved finds tokens on a shelf. It is for one goroutine.
type shelved struct {
	*shelf
	file io.ReaderAt
	b    []byte
	err  error // why a token was not looked for
}

func (w *shelved) inside(rest string) (number int32, found bool) {
	number, _, found = w.find(w.Form.Prefix + rest)
	return number, found
}

func (w *shelved) find(token string) (number int32, score float64, found bool) {
	b, err := w.bucket(bucketOf(token, w.Buckets))
	for err == nil && len(b) > 0 && !found {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) || len(b)-n-int(size) < 12 {
			err = errShelf
			break
		}
		end := n + int(size)
		if string(b[n:end]) == token {
			number, found = int32(binary.LittleEndian.Uint32(b[end:])), true
			score = math.Float64frombits(binary.LittleEndian.Uint64(b[end+4:]))
		}
		b = b[end+12:]
	}
	w.err = errors.Join(w.err, err)
	return number, score, found
}

// bucket reads a bucket, valid until the next call. After an error it reads none.
func (w *shelved) bucket(i int) ([]byte, error) {
	if w.err != nil {
		return nil, nil
	}
	from, to := w.starts[i], w.starts[i+1]
	if to < from+4 || to-from > mostBucket+4 {
		return nil, errShelf
	}
	size := int(to - from)
	if cap(w.b) < size {
		w.b = make([]byte, 2*size)
	}
	b := w.b[:size]
	if _, err := w.file.ReadAt(b, w.from+int64(from)); err != nil {
		return nil, err
	}
	if bucketSum(w.sum, i, b[:size-4]) != binary.LittleEndian.Uint32(b[size-4:]) {
		return nil, errShelf
	}
	return b[:size-4], nil
}

// bucketSum is the sum of a bucket of a shelf with that sum of its head.
func bucketSum(head uint32, i int, b []byte) uint32 {
	return checksum(head^uint32(i), b)
}
