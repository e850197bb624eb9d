package filename_test

import (
	"path"
	"testing"

	"github.com/cp-memory/cp/vault/filename"
)

func TestConflictCopiesOfCloudFolders(t *testing.T) {
	for _, row := range []struct {
		name string
		in   string
		want bool
	}{
		{"Dropbox", "a/x (conflicted copy 2026-02-03).md", true},
		{"Dropbox, of somebody", "x (Ada's conflicted copy).md", true},
		{"Dropbox, of somebody on a day", "x (Ada's conflicted copy 2026-02-03).md", true},
		{"Dropbox, of a name in another case", "x (Case Conflict 1).md", true},
		{"Nextcloud", "x (conflicted copy 2026-02-03 101112).md", true},
		{"ownCloud", "x_conflict-20260203-101112.md", true},
		{"Seafile", "x (SFConflict ada@example.org 2026-02-03-10-11-12).md", true},
		{"Syncthing", "x.sync-conflict-20260203-101112-ABCDEFG.md", true},
		{"a memory about them", "conflicted-copies.md", false},
		{"a memory about one", "Conflicted copy of the contract.md", false},
		{"a numbered one", "x 2.md", false},
		{"a folder of that name", "x (conflicted copy)/y.md", false},
	} {
		if got := filename.ConflictCopy(path.Base(row.in)); got != row.want {
			t.Errorf("%s: %q: got %v", row.name, row.in, got)
		}
	}
}

func TestPlaceholdersOfEvictedFiles(t *testing.T) {
	for name, want := range map[string]string{".x.md.icloud": "x.md", ".photo.jpg.icloud": "", "x.md.icloud": "", ".x.md": ""} {
		if of, ok := filename.NameOfEvicted(name); ok != (want != "") || ok && of != want {
			t.Errorf("%q: got %q, %v", name, of, ok)
		}
	}
}
