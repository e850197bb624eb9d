package vault

import (
	"testing"
)

// The hash follows what a memory says, and nothing that is said about it.
func TestContentHash(t *testing.T) {
	hash := func(doc string) string { return Parse("a.md", []byte(doc)).ContentHash() }
	base := hash("---\ntitle: T\n---\nprose\n")
	same := []string{"---\ntitle: T\nlabels: [a]\nstatus: closed\n---\nprose\n", "---\nid: pf-aa1\ntitle: 'T'\n---\nprose\n"}
	other := []string{"---\ntitle: U\n---\nprose\n", "---\ntitle: T\n---\nProse\n", "---\ntitle: T\ntype: task\n---\nprose\n"}
	for _, doc := range same {
		if hash(doc) != base {
			t.Errorf("the hash differs for %q", doc)
		}
	}
	for _, doc := range other {
		if hash(doc) == base {
			t.Errorf("the hash is the same for %q", doc)
		}
	}
	if len(base) != 32 {
		t.Errorf("the hash has %d digits", len(base))
	}
}
