package gitstore

import (
	"slices"
	"testing"
)

// Faults H24.
func TestIgnoredNamesWhatGitWouldNotAdd(t *testing.T) {
	w := newWorld(t).init("")
	w.sh(`mkdir -p private && echo 'private/' > .gitignore && echo x > private/kept.md && git add -f private/kept.md .gitignore && git commit -qm x`)
	repo, _ := w.open(false)
	got, err := repo.Ignored(t.Context(), []string{"a.md", "private/kept.md", "private/née.md", "private/ *?.md"})
	if want := []string{"private/née.md", "private/ *?.md"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if got, err := repo.Ignored(t.Context(), []string{"a.md"}); err != nil || len(got) != 0 {
		t.Errorf("got %q, %v; want none", got, err)
	}
	if got, err := repo.Ignored(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("got %q, %v; want none", got, err)
	}
}
