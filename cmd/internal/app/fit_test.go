package app_test

import (
	"errors"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
)

// Each row is a budget, and the most that fits of an answer of at most 100 rows that cost 7 each
// and 10 for all. It is found to a twentieth.
func TestWithin(t *testing.T) {
	for _, row := range []struct {
		name         string
		budget, want int
		err          string
	}{
		{"none is without bounds", 0, 100, ""},
		{"all of it", 710, 100, ""},
		{"all but one", 709, 99, ""},
		{"half of it", 360, 50, ""},
		{"one", 17, 1, ""},
		{"not even one", 16, 1, "use --budget 17"},
	} {
		made := 0
		got, err := app.FitWithin(row.budget, 100, func(size int) (int, error) { made++; return size, nil }, func(n int) int { return 10 + 7*n })
		var hint string
		if e := (*vault.Error)(nil); errors.As(err, &e) {
			hint = e.Hint
		}
		if hint != row.err || got > row.want || got < row.want-row.want/20-1 || made > 10 {
			t.Errorf("%s: got %d, %q, made %d times", row.name, got, hint, made)
		}
	}
	broken := errors.New("it cannot be read")
	if _, err := app.FitWithin(50, 100, func(int) (int, error) { return 0, broken }, func(int) int { return 0 }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// Trees get less each before the last ones are left out, and the first one is there if it can be.
func TestTrees(t *testing.T) {
	make := func(size int) ([]int, error) { return []int{size, size, size}, nil }
	cost := func(all []int) (n int) {
		for _, size := range all {
			n += size
		}
		return n
	}
	for _, row := range []struct {
		name         string
		budget       int
		shown, apart int
		err          vault.Code
	}{
		{"none is without bounds", 0, 3, 0, ""},
		{"all", 600, 3, 0, ""},
		{"all, each of the least size", 125, 3, 0, ""},
		{"one has no room", 100, 2, 1, ""},
		{"a part of the first", 20, 1, 2, ""},
	} {
		views, leftOut, err := app.FitTrees(row.budget, make, cost)
		if vault.CodeOf(err) != row.err || len(views) != row.shown || len(leftOut) != row.apart || row.budget > 0 && cost(views) > row.budget {
			t.Errorf("%s: got %v, %v, %v", row.name, views, leftOut, err)
		}
	}
}
