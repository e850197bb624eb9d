package gitstore

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// Tracks finds a path by its beginning in every form of the index.
func TestTracks(t *testing.T) {
	for _, form := range []string{"git update-index --index-version 2", "git update-index --index-version 4", "git update-index --split-index", "git update-index --no-split-index --force-write-index"} {
		w := newWorld(t).init("")
		repo, _ := w.open(false)
		tracks := func(want bool) {
			t.Helper()
			if got, err := repo.Tracks(t.Context(), "v/.cp/index.db", filepath.Join(w.dir, ".git", "note")); got != want || err != nil {
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

// A name is found wherever it stands, and nothing is read behind its place.
func TestIndexLists(t *testing.T) {
	w := newWorld(t).init("")
	w.sh("for i in $(seq 100 400); do echo $i >n$i.md; done; git add -A")
	raw, err := os.ReadFile(filepath.Join(w.dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "index")
	if err := os.WriteFile(file, raw[:len(raw)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]bool{"n100.md": {true, true}, "n15": {true, true}, "n150.mb": {false, true}, "a": {false, true}, "n400.md": {false, false}} {
		found, known, err := gitindex.Lists(file, object.IDSize, name, "")
		if [2]bool{found, known} != want || err != nil {
			t.Errorf("%s: %t %t, %v; want %v", name, found, known, err, want)
		}
	}
}

// A large index without the name is remembered by its checksum, and looked at again as soon as
// it is another one.
func TestIndexListsIsRemembered(t *testing.T) {
	testlevel.Check(t)
	w := newWorld(t).init("")
	repo, _ := w.open(false)
	note := filepath.Join(w.dir, ".git", "note")
	tracks := func(beginning string, want bool) {
		t.Helper()
		if got, err := repo.Tracks(t.Context(), beginning, note); got != want || err != nil {
			t.Errorf("%s: got %t, %v, want %t", beginning, got, err, want)
		}
	}
	noted := func() string { b, _ := os.ReadFile(note); return string(b) }
	w.sh("echo x >n.md; git add -A")
	if tracks("v/.cp/index.db", false); noted() != "" {
		t.Errorf("a small index is noted: %q", noted())
	}
	w.sh("mkdir -p m v/.cp && (cd m && seq 4000 | xargs touch) && git add -A")
	tracks("v/.cp/index.db", false)
	first := noted()
	if tracks("v/.cp/index.db", false); first == "" || noted() != first {
		t.Errorf("noted %q, then %q", first, noted())
	}
	tracks("m/1", true)
	w.sh("touch v/.cp/index.db && git add -A")
	tracks("v/.cp/index.db", true)
	w.sh("git rm -q --cached v/.cp/index.db")
	tracks("v/.cp/index.db", false)
	if err := os.WriteFile(note, []byte(noted()[:9]), 0o600); err != nil {
		t.Fatal(err)
	}
	w.sh("git add -A")
	tracks("v/.cp/index.db", true)
}

// Names by beginning and end, from every form of an index, and of a large one once.
func TestNamesInTheIndex(t *testing.T) {
	testlevel.Check(t)
	const ending = "/.cp/vault.yaml"
	for _, form := range testlevel.Share(3, []string{"true", "git update-index --index-version 4", "git update-index --split-index"}) {
		w := newWorld(t).init("")
		repo, _ := w.open(false)
		note := filepath.Join(w.dir, ".git", "note")
		names := func(beginning string, want ...string) {
			t.Helper()
			if got, err := repo.IndexNames(t.Context(), beginning, ending, note); !slices.Equal(got, want) || err != nil {
				t.Errorf("%s: %q: got %q, %v, want %q", form, beginning, got, err, want)
			}
		}
		names("")
		w.sh("for v in a a/b ä/ö z; do mkdir -p $v/.cp; echo x >$v/.cp/vault.yaml; echo x >$v/.cp/vault.yaml.md; done; git add -A && " + form)
		names("", "a"+ending, "a/b"+ending, "z"+ending, "ä/ö"+ending)
		names("a/", "a"+ending, "a/b"+ending)
		names("ä/", "ä/ö"+ending)
		names("b/")
		w.sh("mkdir -p m && (cd m && seq 4000 | xargs touch) && git add -A && " + form)
		names("a/", "a"+ending, "a/b"+ending)
		names("a/", "a"+ending, "a/b"+ending)
		w.sh("git rm -q --cached a/b/.cp/vault.yaml && " + form)
		names("a/", "a"+ending)
	}
}
