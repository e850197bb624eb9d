package gitstore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault"
)

// A commit of many files makes one pack, which git finds whole, and no loose objects.
func TestManyObjectsMakeAPack(t *testing.T) {
	w := newWorld(t).init("")
	w.sh("git commit -q --allow-empty -m first")
	repo, state := w.open(false)
	c := vault.Commit{Op: "many", Message: "many\n"}
	texts := map[string]string{}
	for i := range object.PackObjects {
		path, text := fmt.Sprintf("n/%d/%d.md", i%7, i), strings.Repeat(fmt.Sprintf("text %d\n", i), i*i%3000)
		texts[path] = text
		w.write(path, text)
		c.Edits = append(c.Edits, vault.Edit{Path: vault.Path(path), Create: []byte(text)})
	}
	loose := w.sh("git count-objects")
	if _, err := repo.Publish(t.Context(), c, state); err != nil {
		t.Fatal(err)
	}
	if got := w.sh("git count-objects"); got != loose {
		t.Errorf("loose objects: %s, and before: %s", got, loose)
	}
	packs, _ := filepath.Glob(filepath.Join(repo.CommonDir(), "objects/pack/*.pack"))
	if len(packs) != 1 {
		t.Fatalf("packs: got %v, want one", packs)
	}
	w.sh("git verify-pack " + packs[0] + " && git fsck --strict --no-progress")
	if got := w.status(); len(got) > 1 || got[0] != "" {
		t.Errorf("git status: got %q, want nothing", got)
	}
	for path, text := range texts {
		got, err := repo.ReadAt(t.Context(), "HEAD", path)
		if err != nil || string(got) != text {
			t.Fatalf("%s in HEAD: got %d bytes (%v), want %d", path, len(got), err, len(text))
		}
	}
}
