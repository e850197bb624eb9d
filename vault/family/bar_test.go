package family

import (
	"math"
	"testing"
)

// A bar stops what cannot be among the best any more, and nothing that may be.
func TestBar(t *testing.T) {
	bar := NewBar(3)
	for _, c := range []struct {
		name   string
		scores []float64
		want   float64
	}{
		{"nobody has answered", nil, math.Inf(-1)},
		{"there are too few", []float64{5, 1}, math.Inf(-1)},
		{"there are enough", []float64{2}, 1},
		{"better ones raise it", []float64{4, 0, 3}, 3},
		{"equal ones do not", []float64{3, 3}, 3},
		{"worse ones do not", []float64{1}, 3},
	} {
		if bar.Raise(c.scores); bar.Score() != c.want {
			t.Errorf("%s: %v, want %v", c.name, bar.Score(), c.want)
		}
	}
	var none *Bar
	if none.Raise([]float64{1}); !math.IsInf(none.Score(), -1) {
		t.Errorf("no bar: %v", none.Score())
	}
}
