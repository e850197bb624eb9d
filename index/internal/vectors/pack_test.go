package vectors

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The example of the package's text.
func TestTheExample(t *testing.T) {
	v := []float32{0.8, -0.6, 0}
	scale, values := packValues(v)
	neg95 := -95
	if diff := cmp.Diff([]byte{127, byte(neg95), 0}, values); diff != "" || scale != 0.8/127 {
		t.Errorf("scale %v, values %s", scale, diff)
	}
	if diff := cmp.Diff([]byte{1, 0, 0, 0, 0, 0, 0, 0}, packBits(v)); diff != "" {
		t.Error(diff)
	}
	if got := dot(v, scale, values); math.Abs(got-1) > 0.01 {
		t.Errorf("the vector with itself: %v", got)
	}
}

// The scan agrees with sorting by the number of bits that differ, over blocks
// of any size, with some left out.
func TestScanAgreesWithSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for round := range 50 {
		dimension, n, k := 1+rng.IntN(200), rng.IntN(300), rng.IntN(40)
		all := make([][]byte, n)
		for i := range all {
			all[i] = packBits(random(rng, dimension))
		}
		query := packBits(random(rng, dimension))
		counts := func(i int) bool { return round%2 == 0 || i%3 != 0 }

		scan := newScan(query, n)
		for at := 0; at < n; at += 64 {
			scan.scanBlock(slices.Concat(all[at:min(at+64, n)]...), func(i int) bool { return counts(at + i) })
		}
		got := scan.best(k)

		var want []int
		for i := range all {
			if counts(i) {
				want = append(want, i)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int { return differ(query, all[a]) - differ(query, all[b]) })
		want = append([]int{}, want[:min(k, len(want))]...)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d, %d vectors of %d, the best %d: %s", round, n, dimension, k, diff)
		}
	}
}

func random(rng *rand.Rand, dimension int) []float32 {
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

func differ(a, b []byte) int {
	n := 0
	for i := range a {
		for x := a[i] ^ b[i]; x != 0; x &= x - 1 {
			n++
		}
	}
	return n
}
