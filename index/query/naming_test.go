package query

import (
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// TestLinkFindsName takes a link, and the memory that it may mean.
func TestLinkFindsName(t *testing.T) {
	for _, c := range []struct {
		from, kind, target string
		path, id, title    string
		rank               int // -1: the memory is not meant
	}{
		{"a.md", "link", "b.md", "b.md", "pf-7k2m9qx4", "B", RankPath},
		{"x/a.md", "link", "b.md", "b.md", "", "", -1},
		{"x/a.md", "link", "../b.md", "b.md", "", "", RankPath},
		{"x/a.md", "link", "../../b.md", "b.md", "", "", -1},
		{"x/a.md", "link", "/b.md", "b.md", "", "", RankPath},
		{"a.md", "link", "Ä.md", "a\u0308.md", "", "", RankPath},
		{"a.md", "link", "deploy/", "deploy/README.md", "", "", rankFolder + 3},
		{"a.md", "wikilink", "PF-7K2M9QX4", "b.md", "pf-7k2m9qx4", "", RankID},
		{"a.md", "wikilink", "rollback", "deploy/rollback.md", "", "", RankPath + 1},
		{"a.md", "wikilink", "deploy/rollback", "deploy/rollback.md", "", "", RankPath},
		{"a.md", "wikilink", "loy/rollback", "deploy/rollback.md", "", "", -1},
		{"a.md", "wikilink", "Buy Wisely", "b.md", "", "buy wisely", RankTitle},
		{"x/a.md", "wikilink", "./b", "x/b.md", "", "", RankPath},
		{"a.md", "wikilink", "new-1234abcd", "b.md", "new-1234abcd", "", -1},
	} {
		key := HashName(LinkName(vault.Path(c.from), vault.Reference{Kind: c.kind, Target: c.target}))
		rank := -1
		for _, n := range NamesOf(vault.Path(c.path), vault.ID(c.id), c.title) {
			if n.Key == key && (rank < 0 || n.Rank < rank) {
				rank = n.Rank
			}
		}
		if rank != c.rank {
			t.Errorf("%s %s in %s: %s %q %q has rank %d, want %d", c.kind, c.target, c.from, c.path, c.id, c.title, rank, c.rank)
		}
	}
	if NamesOf("", "pf-7k2m9qx4", "T") != nil {
		t.Error("a memory without a path has names")
	}
}

// TestReferences takes what a references key may say of one memory.
func TestReferences(t *testing.T) {
	keys := ReferenceKeys("deploy/rollback.md", "pf-7k2m9qx4", "Roll back")
	for target, means := range map[string]bool{
		"pf-7k2m9qx4": true, "PF-7k2": true, "deploy/rollback.md": true, "./deploy/rollback": true, "roll BACK": true,
		"rollback": false, "pf-7k2m9qx4x": false, "k2m9": false,
	} {
		if slices.Contains(keys, HashName(NormalName(target))) != means {
			t.Errorf("%s: want %t", target, means)
		}
	}
}
