package doctor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
)

var file = vaulttest.File

// examine returns what the checks of the contents find that is not ok, as
// "check severity path:line".
func examine(w *vaulttest.World) []string {
	w.T.Helper()
	p := &doctor.Patient{Syncer: w.Syncer, Root: w.Root, Index: w.Index}
	var found []string
	for _, c := range p.ExamineContents(w.Ctx) {
		if c.Evidence == "" || (c.Severity == doctor.OK) != (c.Fix == "") {
			w.T.Errorf("a record without evidence, or with a fix for nothing: %+v", c)
		}
		if c.Severity != doctor.OK {
			found = append(found, strings.TrimSuffix(fmt.Sprintf("%s %s %s:%d", c.Check, c.Severity, c.Path, c.Line), ":0"))
		}
	}
	return found
}

func TestDoctorFindsNothingInAGoodVault(t *testing.T) {
	if found := examine(vaulttest.Family(t)); len(found) > 0 {
		t.Errorf("found %q", found)
	}
}

func TestDoctorFindsWhatIsWrongAndChangesNothing(t *testing.T) {
	for _, row := range []struct {
		name string
		make func(w *vaulttest.World)
		want string
	}{
		{"one id twice", func(w *vaulttest.World) { w.Write("deploy/z.md", w.Disk("deploy/rollback.md")) }, "duplicate_ids error deploy/z.md"},
		{"markers in the text", func(w *vaulttest.World) { w.Write("x.md", "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> o\n") }, "conflict_markers error x.md:1"},
		{"a broken header", func(w *vaulttest.World) { w.Write("x.md", "---\ntitle: [\n---\n") }, "front_matter error x.md:2"},
		{"an id line of a person's that cannot serve", func(w *vaulttest.World) { w.Write("x.md", "---\nid: a/b\n---\n") }, "pointers warning "},
		{"a damaged block", func(w *vaulttest.World) { w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "},", "}", 1)) }, "invalid_blocks warning deploy.md:10"},
		{"a stale pointer", func(w *vaulttest.World) { w.Unlink("deploy/secrets.md") }, "pointers warning "},
		{"not UTF-8", func(w *vaulttest.World) { w.Write("x.md", "caf\xe9") }, "not_text warning x.md:1"},
		{"too big", func(w *vaulttest.World) { w.Write("x.md", strings.Repeat("x", vault.MaxFile+1)) }, "too_big warning x.md"},
		{"twins", func(w *vaulttest.World) { w.Write("x.md", "x"); w.Write("X.md", "y") }, "bad_names warning x.md"},
		{"a symbolic link", func(w *vaulttest.World) { w.Check(os.Symlink("deploy.md", filepath.Join(w.Root, "x.md"))) }, "not_files info x.md"},
		{"a repository inside", func(w *vaulttest.World) { w.Write("sub/.git/HEAD", "ref: refs/heads/main\n") }, "nested_repositories warning sub"},
		{"an empty file", func(w *vaulttest.World) { w.Write("x.md", "") }, "empty_files info x.md"},
		{"a cloud folder's copy", func(w *vaulttest.World) { w.Write("x (conflicted copy 2026-02-03).md", "# X\n") }, "conflict_copies warning x (conflicted copy 2026-02-03).md"},
		{"a link to nowhere", func(w *vaulttest.World) { w.Write("x.md", "See [[No such note]].\n") }, "broken_links info x.md"},
		{"no phrase", func(w *vaulttest.World) { w.Write("deploy/x.md", file("pf-xx1", "X", "", "X.\n")) }, "no_phrase info deploy/x.md"},
		{"a long phrase", func(w *vaulttest.World) {
			w.Write("deploy/x.md", file("pf-xx1", "X", strings.Repeat("long ", 30), "X.\n"))
		}, "long_phrases info deploy/x.md"},
		{"a deep tree", func(w *vaulttest.World) {
			for i := range 7 {
				w.Write("d"+strings.Repeat("/d", i)+".md", "# D\n")
			}
		}, "deep_tree info d/d/d/d/d/d/d.md"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := vaulttest.Family(t)
			row.make(w)
			status := w.Porcelain()
			found := examine(w)
			if !strings.Contains(strings.Join(found, "\n"), row.want) {
				t.Errorf("found %q, want %q", found, row.want)
			}
			if w.Porcelain() != status {
				t.Errorf("doctor changed something: %s", w.Porcelain())
			}
		})
	}
}

func TestDoctorCountsWhatItDoesNotList(t *testing.T) {
	w := vaulttest.New(t)
	for i := range 25 {
		w.Write(fmt.Sprintf("n%02d.md", i), "")
	}
	found := examine(w)
	if want := "empty_files info n19.md\nempty_files info "; !strings.HasSuffix(strings.Join(found, "\n"), want) {
		t.Errorf("got %q, want the end %q", found, want)
	}
}
