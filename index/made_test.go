package index

import (
	"context"
	"os"
	"sync"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// TestOnlyOurOwnMirrorIsBelieved: a sound mirror whose titles were changed is
// believed only under its key, at its place on the disk, untracked.
func TestOnlyOurOwnMirrorIsBelieved(t *testing.T) {
	ctx := context.Background()
	f, want := library(t)
	ours := file{sqlite.File{Path: f.file()}}
	for _, row := range []struct {
		name     string
		change   func()
		tracked  bool
		believed bool
	}{
		{"ours, changed by hand", func() {}, false, true},
		{"tracked", func() {}, true, false},
		{"at another place on the disk", func() { f.copyAside(f.file()) }, false, false},
		{"with another key", func() { f.note(ours, ours.readMade().key+1) }, false, false},
		{"of which nothing is known", func() { f.remove(".cp/index.db.made") }, false, false},
		{"of which half is known", func() { f.write(".cp/index.db.made", "12 34") }, false, false},
	} {
		f.remove(".cp/index.db.bad")
		d := f.caughtUp()
		p, err := d.use(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.update(ctx, func(x *tx) error { x.Exec(`UPDATE memories SET title = 'Invented' WHERE id = 'pf-q'`); return nil }); err != nil {
			t.Fatal(err)
		}
		_ = d.Close()
		row.change()
		d = f.index(Options{Tracked: func(context.Context) (bool, error) { return row.tracked, nil }})
		f.catchUp(d)
		if got := title(t, d, "p/q.md") == "Invented"; got != row.believed {
			t.Errorf("%s: believed: %t, want %t", row.name, got, row.believed)
		}
		if private, why := d.Private(); private {
			t.Errorf("%s: in memory: %v", row.name, why)
		}
		if _, err := os.Stat(f.file() + ".bad"); (err != nil) != row.believed {
			t.Errorf("%s: set aside: %v", row.name, err)
		}
		_ = d.Close()
		f.remove(".cp/index.db")
	}
	if got := dump(t, f.caughtUp()); got != want {
		t.Errorf("the mirror differs from what it was:\n%s", got)
	}
}

// copyAside gives a file another inode.
func (f *folder) copyAside(path string) {
	f.t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path+".copy", b, 0o644)
	}
	if err == nil {
		err = os.Rename(path+".copy", path)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) note(of file, key int64) {
	f.t.Helper()
	if err := of.noteMade(of.Path, key); err != nil {
		f.t.Fatal(err)
	}
}

// TestManyMakeOneMirror: of those who find a foreign mirror at once, each answers
// from the files, none from memory, and one mirror is left that all believe.
func TestManyMakeOneMirror(t *testing.T) {
	f, want := library(t)
	f.copyAside(f.file())
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			d := f.index()
			f.catchUp(d)
			if got := dump(t, d); got != want {
				t.Errorf("the mirror differs from what it was:\n%s", got)
			}
			if private, why := d.Private(); private {
				t.Errorf("in memory: %v", why)
			}
		})
	}
	all.Wait()
	before, _ := os.Lstat(f.file())
	f.caughtUp()
	if after, err := os.Lstat(f.file()); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was made again: %v", err)
	}
}

// TestSchemaOfAPipe: asking for the version waits for nobody.
func TestSchemaOfAPipe(t *testing.T) {
	f := newFolder(t, false)
	f.write(".cp/x", "")
	if err := syscall.Mkfifo(f.file(), 0o600); err != nil {
		t.Skip(err)
	}
	if got := SchemaOf(f.file()); got != 0 {
		t.Errorf("got %d", got)
	}
	if n, err := f.caughtUp().Walk(context.Background(), vault.WalkOptions{}); err != nil || len(n) != 0 {
		t.Errorf("got %v, %v", n, err)
	}
}
