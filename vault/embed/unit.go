package embed

import "math"

// MaxDimension bounds the numbers of a vector.
const MaxDimension = 8192

// Unit returns a copy of v with length 1. ok is false if v has no direction: all numbers are
// zero, or one is not finite.
func Unit(v []float32) ([]float32, bool) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil, false
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / length)
	}
	return unit, true
}
