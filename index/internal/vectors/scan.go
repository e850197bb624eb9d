package vectors

import (
	"encoding/binary"
	"math/bits"
)

// bitScan finds the vectors whose bits differ least from a query's.
type bitScan struct {
	query []uint64
	far   []uint16 // how many bits differ, of each vector in the order they came
	count []int    // how many vectors differ in that many bits
}

// newScan begins a search for the vectors near the one with these bits, among about so many.
func newScan(query []byte, vectors int) *bitScan {
	return &bitScan{query: readWords(query), count: make([]int, len(query)*8+2), far: make([]uint16, 0, vectors)}
}

// leftOutDistance is the distance of a vector that is left out: more than any can differ.
func (s *bitScan) leftOutDistance() uint16 { return uint16(len(s.count) - 1) }

// scanBlock looks at a block of packed vectors. Where only is not nil it says which of
// them count.
func (s *bitScan) scanBlock(block []byte, only func(i int) bool) {
	wide := len(s.query) * 8
	for i := 0; (i+1)*wide <= len(block); i++ {
		d := s.leftOutDistance()
		if only == nil || only(i) {
			d = s.differ(block[i*wide : (i+1)*wide])
		}
		s.far = append(s.far, d)
		s.count[d]++
	}
}

func (s *bitScan) differ(vector []byte) uint16 {
	n := 0
	for i, q := range s.query {
		n += bits.OnesCount64(q ^ binary.LittleEndian.Uint64(vector[8*i:]))
	}
	return uint16(n)
}

// best returns the places of the k nearest vectors that count, in their order. Of equally
// near ones it takes the earlier.
func (s *bitScan) best(k int) []int {
	bound, within := 0, 0
	for bound < len(s.count)-1 && within+s.count[bound] < k {
		within += s.count[bound]
		bound++
	}
	atBound := k - within
	best := make([]int, 0, min(k, len(s.far)))
	for i, d := range s.far {
		switch {
		case int(d) < bound:
			best = append(best, i)
		case int(d) == bound && d != s.leftOutDistance() && atBound > 0:
			best = append(best, i)
			atBound--
		}
	}
	return best
}
