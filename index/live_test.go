package index

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
)

// witness is somebody who says where the mirror stood.
type witness struct {
	generation vault.Generation
	ok         bool
}

func (w *witness) Current(context.Context) (vault.Generation, bool) { return w.generation, w.ok }

func mirrorOf(t *testing.T, f *folder, o Options) *DB {
	t.Helper()
	db, err := Open(f.file(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// A mirror that covers what the watcher says is not compared with the files,
// but with HEAD; one that is behind it, or is another file, is.
func TestCatchUpBesideAWatcher(t *testing.T) {
	f := newFolder(t, true)
	f.write("a.md", "# One\n")
	who := &witness{}
	db := mirrorOf(t, f, Options{Live: who})
	told := func() vault.Report {
		t.Helper()
		report, err := db.CatchUp(t.Context(), sourceOf(f), vault.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	generation := told().Generation
	f.write("a.md", "# Two, which the watcher has not seen\n") // so that a scan would show
	for _, row := range []struct {
		name    string
		who     witness
		trusted bool
	}{
		{"where the mirror stands", witness{generation, true}, true},
		{"where it stood before", witness{vault.Generation{Epoch: generation.Epoch, Number: generation.Number - 1}, true}, true},
		{"nobody", witness{generation, false}, false},
	} {
		*who = row.who
		if report := told(); (report.Files == 0 && report.Changed == 0) != row.trusted || !report.Complete {
			t.Errorf("%s: %+v", row.name, report)
		}
	}
	for _, beyond := range []struct {
		name          string
		epoch, number int64
	}{
		{"a generation the mirror has not reached", 0, 1},
		{"another file's generation", 1, 0},
	} {
		*who = witness{}
		at := told().Generation // a look may note a file that is old enough by now
		at.Epoch += beyond.epoch
		at.Number += beyond.number
		*who = witness{at, true}
		if report := told(); report.Files != 1 {
			t.Errorf("%s: %+v", beyond.name, report)
		}
	}
	*who = witness{}
	generation = told().Generation
	f.run("add", "-A")
	f.run("commit", "-qm", "one")
	*who = witness{generation, true}
	told()
	if n, ok, err := db.At(t.Context(), "a.md"); err != nil || !ok || n.Dirty() {
		t.Errorf("after a commit: %+v %v %v", n, ok, err)
	}
}

// A scope of paths looks at those alone: files and folders that came, changed and went.
func TestCatchUpOfPaths(t *testing.T) {
	f := newFolder(t, false)
	for _, name := range []string{"a.md", "b.md", "in/c.md", "in/d.md", "inner.md"} {
		f.write(name, "# "+name+"\n")
	}
	db := mirrorOf(t, f, Options{})
	if _, err := db.CatchUp(t.Context(), sourceOf(f), vault.Scope{}); err != nil {
		t.Fatal(err)
	}
	f.write("b.md", "# Changed, and not named\n")
	f.write("a.md", "# Changed and named\n")
	f.remove("in/c.md")
	f.write("in/new/e.md", "# New\n")
	report, err := db.CatchUp(t.Context(), sourceOf(f), vault.Scope{Paths: []vault.Path{"a.md", "in"}})
	if err != nil || report.Changed != 2 || report.Removed != 1 {
		t.Fatalf("%+v %v", report, err)
	}
	for p, title := range map[vault.Path]string{"a.md": "Changed and named", "b.md": "b.md", "in/d.md": "in/d.md", "in/new/e.md": "New", "inner.md": "inner.md", "in/c.md": ""} {
		if n, ok, err := db.At(t.Context(), p); err != nil || ok != (title != "") || n.Title != title {
			t.Errorf("%s: %q %v %v", p, n.Title, ok, err)
		}
	}
}

// TestBesideALiveWrite takes a file out of HEAD as a write does, whose last deed is to take
// it off the disk: until it ends the file is told as the rows had it, also to the next reader.
func TestBesideALiveWrite(t *testing.T) {
	f := newFolder(t, true)
	f.write("a.md", "# A\n")
	f.write("b.md", "# B\n")
	f.commit()
	d := f.caughtUp(Options{})
	before := dump(t, d)
	f.run("rm", "-q", "--cached", "a.md")
	f.run("commit", "-qm", "remove")
	f.live = true
	for range 2 {
		if r := f.catchUp(d); r.Moved {
			t.Error("HEAD has moved for a reader beside the write")
		}
		if diff := cmp.Diff(before, dump(t, d)); diff != "" {
			t.Errorf("beside the write (-before +beside):\n%s", diff)
		}
	}
	if fresh := f.fresh(); dump(t, fresh) == before {
		t.Error("a mirror that had no rows shows a commit that nobody told it of")
	}
	f.live = false
	f.remove("a.md")
	f.catchUp(d)
	if diff := cmp.Diff(dump(t, f.fresh()), dump(t, d)); diff != "" {
		t.Errorf("after the write (-rebuilt +kept):\n%s", diff)
	}
}
