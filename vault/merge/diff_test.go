package merge_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault/merge"
)

// A long text of which each hunk is far from the others has a hunk for each change.
func TestDiffOfALongText(t *testing.T) {
	var base []string
	for i := range 30_000 {
		base = append(base, fmt.Sprint("line ", i), "}")
	}
	side := slices.Clone(base)
	for i := 100; i < len(side); i += 12 { // more than 4,000 lines
		side[i] += " changed"
	}
	side = slices.Insert(side, 7, "new")
	all := merge.DiffLines(base, side)
	if len(all) < 4900 || slices.ContainsFunc(all, func(h merge.Hunk) bool { return h.Gone > 1 }) {
		t.Errorf("got %d hunks, the first ones %v", len(all), all[:min(5, len(all))])
	}
	if got := apply(base, side, all); !slices.Equal(got, side) {
		t.Error("the hunks do not turn base into side")
	}
}

// Lines that are there in another order are cut at the longest row that has one order.
func TestDiffOfSwappedHalves(t *testing.T) {
	var a, b []string
	for i := range 3000 {
		a, b = append(a, fmt.Sprint("a", i)), append(b, fmt.Sprint("b", i/2*2)) // those of b stand twice each
	}
	base, side := slices.Concat(a, b), slices.Concat(b, a)
	all := merge.DiffLines(base, side)
	if got := apply(base, side, all); !slices.Equal(got, side) || len(all) != 2 {
		t.Errorf("got %d hunks", len(all))
	}
}

// apply turns base into side by the hunks.
func apply(base, side []string, all []merge.Hunk) (out []string) {
	done := 0
	for _, h := range all {
		out = append(append(out, base[done:h.At]...), side[h.From:h.Till]...)
		done = h.At + h.Gone
	}
	return append(out, base[done:]...)
}
