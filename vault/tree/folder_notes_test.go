package tree_test

import (
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

func TestAbove(t *testing.T) {
	all := make(tree.FolderNotes)
	for _, p := range []vault.Path{"a.md", "a/README.md", "a/x.md", "b/README.md", "b/index.md", "b/x/y.md", "a.mdc", "c/x.md"} {
		all.Add(p)
	}
	for p, want := range map[vault.Path]vault.Path{
		"a.md": "", "a/x.md": "a.md", "a/README.md": "a.md", "b/index.md": "", "b/README.md": "b/index.md", "b/x/y.md": "b/index.md", "c/x.md": "", "a/deep/er.md": "a.md",
	} {
		if got, ok := all.Above(p); got != want || ok != (want != "") {
			t.Errorf("above %s: got %q, %v, want %q", p, got, ok, want)
		}
	}
}
