package static

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// A safetensors file is the length of its header (8 bytes, little-endian), the
// header, and the data. The header is JSON: for each tensor its dtype, shape and
// the offsets in the data where it begins and ends:
//
//	{"embeddings": {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]}}

// maxHeader bounds a header; it takes about 100 bytes for each tensor, and a
// static model has three.
const maxHeader = 1 << 20

// tensor is one table of numbers in a file.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`

	start int64 // of its data in the file
}

// readTensors reads the header of a safetensors file of size bytes.
func readTensors(r io.ReaderAt, size int64) (map[string]tensor, error) {
	var n [8]byte
	if _, err := r.ReadAt(n[:], 0); err != nil {
		return nil, errCut
	}
	length := binary.LittleEndian.Uint64(n[:])
	switch {
	case length > maxHeader:
		return nil, damaged("it does not begin like a safetensors file")
	case int64(length) > size-8:
		return nil, errCut
	}
	header := make([]byte, length)
	if _, err := r.ReadAt(header, 8); err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, damaged("it does not begin like a safetensors file")
	}
	all := make(map[string]tensor)
	for name, b := range raw {
		if name == "__metadata__" {
			continue
		}
		t := tensor{start: 8 + int64(length)}
		if err := json.Unmarshal(b, &t); err != nil {
			return nil, fmt.Errorf("its tensor %q is not described well", name)
		}
		if err := t.checkBounds(size); err != nil {
			return nil, fmt.Errorf("its tensor %q %w", name, err)
		}
		all[name] = t
	}
	return all, nil
}

// damaged is the error of a file that is not what its name says, or not all of it.
type damaged string

// Error returns the sentence.
func (d damaged) Error() string { return string(d) }

const errCut = damaged("it is cut off")

// checkBounds returns an error if the tensor does not lie within a file of size bytes.
func (t *tensor) checkBounds(size int64) error {
	width := kinds[t.Type].width
	if width == 0 {
		return nil // it may be one that nobody asks for
	}
	count := int64(1)
	for _, n := range t.Shape {
		if n < 0 || n > 1<<30 || count > 1<<30 {
			return errors.New("has no real shape")
		}
		count *= n
	}
	t.start += t.Offsets[0]
	switch {
	case t.Offsets[0] < 0 || t.Offsets[1]-t.Offsets[0] != count*width:
		return errors.New("is not as long as its shape says")
	case t.start+count*width > size:
		return damaged("is cut off")
	}
	return nil
}

// kind says how a type of number is stored.
type kind struct {
	width int64 // in bytes
	read  func(b []byte) float32
}

var kinds = map[string]kind{
	"F64":  {8, func(b []byte) float32 { return float32(math.Float64frombits(binary.LittleEndian.Uint64(b))) }},
	"F32":  {4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }},
	"F16":  {2, func(b []byte) float32 { return half(binary.LittleEndian.Uint16(b)) }},
	"BF16": {2, func(b []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16) }},
	"I64":  {8, func(b []byte) float32 { return float32(int64(binary.LittleEndian.Uint64(b))) }},
	"I32":  {4, func(b []byte) float32 { return float32(int32(binary.LittleEndian.Uint32(b))) }},
	"I8":   {1, func(b []byte) float32 { return float32(int8(b[0])) }},
}

// kind returns how the tensor's numbers are stored.
func (t tensor) kind() (kind, error) {
	k, known := kinds[t.Type]
	if !known {
		return k, fmt.Errorf("its numbers are of the type %s, which this reader does not know", t.Type)
	}
	return k, nil
}

// count returns how many numbers a tensor holds, whose type is a known one.
func (t tensor) count() int { return int((t.Offsets[1] - t.Offsets[0]) / kinds[t.Type].width) }

// readNumber reads the number i, which is there.
func (t tensor) readNumber(r io.ReaderAt, i int32) (float32, error) {
	k := kinds[t.Type]
	var b [8]byte
	if _, err := r.ReadAt(b[:k.width], t.start+int64(i)*k.width); err != nil {
		return 0, err
	}
	return k.read(b[:]), nil
}

// half reads an IEEE 754 number of 16 bits.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0:
		v := float32(fraction) / (1 << 24)
		if sign != 0 {
			v = -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// openRegular opens a plain file; opening a pipe would hang.
func openRegular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is not a regular file")
	}
	f, err := os.Open(path)
	return f, info.Size(), err
}
