package sync

import (
	"testing"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// A mirror that is made again in the middle of its answer begins anew.
func TestHouseholdsBeginAnew(t *testing.T) {
	var all households
	for _, p := range []vault.Path{"a.md", "b.md", "c.md", "a.md", "b.md"} {
		f := vault.Family{Parent: vault.Node{Path: p}, Children: []vault.Node{{ID: "pf-x"}}, Entries: []pointer.Entry{{ID: "pf-X", Title: "T"}}}
		all.add(&f).share()
	}
	if len(all) != 2 || all[0].Parent.Path != "a.md" || all[1].Parent.Path != "b.md" {
		t.Errorf("got %+v", all)
	}
	if e := all[1].Entries[0]; e.ID != "pf-X" || e.Title != "T" {
		t.Errorf("the entry says %+v", e)
	}
}
