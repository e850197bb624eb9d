package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree"
	"github.com/google/go-cmp/cmp"
)

func TestFoldersThatBeginWithADotAreOpened(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.md", ".x.md", ".cursor/x.md", ".cursor/rules/go.mdc", ".cursor/rules/deep/sql.mdc", ".cursor/rules/.old/x.md", ".cursor/rules/.h.mdc", ".cursor/rulesets/x.mdc",
		".github/y.md", ".other/z.md", "docs/.notes/n.md", "docs/.git2/x.md")
	must(t, os.Symlink("..", filepath.Join(dir, ".up")))
	s, err := worktree.Open(dir, nil, worktree.Options{Leaves: []string{"!.cursor/rules", "!.github", "!docs/.notes", "!.absent", "!.up", "z.md"}})
	must(t, err)
	want := []string{".cursor/rules/deep/sql.mdc", ".cursor/rules/go.mdc", ".github/y.md", ".up symlink", "a.md", "docs/.notes/n.md"}
	found, complete := seen(t, s, vault.Scope{})
	if diff := cmp.Diff(want, found); diff != "" || !complete {
		t.Errorf("complete %v, %s", complete, diff)
	}
	found, _ = seen(t, s, vault.Scope{Paths: []vault.Path{".cursor/rules/go.mdc", ".cursor/x.md", ".github"}})
	if diff := cmp.Diff([]string{".cursor/rules/go.mdc", ".github/y.md"}, found); diff != "" {
		t.Errorf("by name: %s", diff)
	}
	for p, hidden := range map[vault.Path]bool{".cursor": false, ".cursor/rules": false, ".cursor/rules/x.mdc": false, ".cursor/x.md": true, ".cursorx": true, ".other": true, "a.md": false} {
		if got := worktree.Hides([]string{"!.cursor/rules"})(p); got != hidden {
			t.Errorf("%s: hidden %v, want %v", p, got, hidden)
		}
	}
}
