package gitstore

import (
	"slices"
	"testing"
)

func TestLeftOutNamesWhatASparseCheckoutHides(t *testing.T) {
	w := newWorld(t).init("")
	w.sh(`mkdir -p in out && echo x > in/a.md && echo x > out/ü.md && git add . && git commit -qm x`)
	repo, _ := w.open(false)
	if got, err := repo.LeftOut(t.Context(), []string{"in/a.md", "out/ü.md"}); err != nil || len(got) != 0 {
		t.Errorf("a full checkout: got %q, %v; want none", got, err)
	}
	w.sh(`git sparse-checkout set --no-cone '/*' '!/out/'`)
	repo, _ = w.open(false)
	got, err := repo.LeftOut(t.Context(), []string{"in/a.md", "out/ü.md", "no/such.md"})
	if want := []string{"out/ü.md"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
