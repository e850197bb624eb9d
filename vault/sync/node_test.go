package sync

import (
	"fmt"
	"testing"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// A mirror that is made again in the middle of its answer begins anew.
func TestHouseholdsBeginAnew(t *testing.T) {
	var all households
	for _, p := range []vault.Path{"a.md", "b.md", "c.md", "a.md", "b.md"} {
		f := vault.Family{Parent: vault.Node{Path: p}, Children: []vault.Node{{ID: "pf-x"}}, Entries: []pointer.Entry{{ID: "pf-X", Title: "T"}}}
		all.addFamily(&f).share()
	}
	if len(all) != 2 || all[0].Parent.Path != "a.md" || all[1].Parent.Path != "b.md" {
		t.Errorf("got %+v", all)
	}
	if e := all[1].Entries[0]; e.ID != "pf-X" || e.Title != "T" {
		t.Errorf("the entry says %+v", e)
	}
}

// Nothing of a walk that was cut short stays known.
func TestAWalkBeginsAnew(t *testing.T) {
	r := &reconciler{files: make(map[vault.Path]*file), memories: make(map[string]*memory), seats: make(tree.FolderNotes)}
	for _, p := range []vault.Path{"a.md", "b.md", "gone.md", "a.md", "c.md"} {
		r.keepMemory(vault.Node{ID: vault.ID("pf-" + p.Stem()), Path: p, Hash: "x", Head: "x"})
	}
	if fmt.Sprint(r.paths) != "[a.md c.md]" || len(r.files) != 2 || len(r.memories) != 2 {
		t.Errorf("paths %v, %d files, %d ids", r.paths, len(r.files), len(r.memories))
	}
	if r.fileAt("gone.md").isInMirror() || r.knownMemory("pf-gone").seen {
		t.Error("what is gone is known")
	}
}
