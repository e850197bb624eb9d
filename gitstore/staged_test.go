package gitstore

import (
	"slices"
	"testing"
)

// Staged names what the index has otherwise than HEAD: changed, new and removed.
func TestStaged(t *testing.T) {
	w := newWorld(t).init("")
	repo, _ := w.open(false)
	w.sh("echo a > a.md && echo b > b.md && echo c > ü.md && git add -A && git commit -qm one")
	w.sh("echo more >> a.md && git add a.md && echo more >> b.md && git rm -q --cached ü.md && echo n > new.md && git add new.md")
	got, err := repo.PickStaged(t.Context(), []string{"a.md", "b.md", "ü.md", "new.md", "no/such.md"})
	if want := []string{"a.md", "ü.md", "new.md"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q (%v)", got, want, err)
	}
}
