package embed

import "math"

// MaxDimension is how many numbers a vector has at the most.
const MaxDimension = 8192

// Unit returns v at length 1, and whether it can be: each number is finite and
// not all are zero. It leaves v as it is.
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
