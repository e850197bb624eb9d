package gitstore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cp-memory/cp/gitstore/gitindex"
)

// Tracks finds a path by its beginning in every form of the index.
func TestTracks(t *testing.T) {
	for _, form := range []string{"git update-index --index-version 2", "git update-index --index-version 4", "git update-index --split-index", "git update-index --no-split-index --force-write-index"} {
		w := newWorld(t).init("")
		repo, _ := w.open(false)
		tracks := func(want bool) {
			t.Helper()
			if got, err := repo.Tracks(t.Context(), "v/.cp/index.db"); got != want || err != nil {
				t.Errorf("%s: got %t, %v, want %t", form, got, err, want)
			}
		}
		tracks(false)
		w.sh("mkdir -p v/.cp w/v/.cp && touch v/.cp/index.da v/.cp/index w/v/.cp/index.db v/index.db && git add -A && " + form)
		tracks(false)
		w.sh("touch v/.cp/index.db-wal && git add -A && " + form)
		tracks(true)
		w.sh("git rm -q --cached v/.cp/index.db-wal && touch v/.cp/index.db && git add v/.cp/index.db")
		tracks(true)
	}
}

// A name is found wherever it lies in the file.
func TestIndexSaysAcrossItsLooks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "index")
	for at := 65_500; at < 65_700; at++ {
		b := append(append([]byte("DIRC\x00\x00\x00\x02"), make([]byte, at)...), "index.db..."...)
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if whole, found, err := gitindex.Says(file, "index.db"); !whole || !found || err != nil {
			t.Fatalf("at %d: %t %t %v", at, whole, found, err)
		}
	}
	if whole, found, err := gitindex.Says(file, "index.da"); !whole || found || err != nil {
		t.Fatalf("%t %t %v", whole, found, err)
	}
}
