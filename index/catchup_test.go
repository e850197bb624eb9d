package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// settle catches up until every file has a mark: as long as a clock tick after
// the last write. It waits for a state, not for a time.
func (f *folder) settle(d *DB) {
	f.t.Helper()
	for {
		f.catchUp(d)
		var waiting int
		err := d.view(context.Background(), func(x *tx) error {
			return x.One(`SELECT count(*) FROM files WHERE disk AND mark = 0`, nil, &waiting)
		})
		if err != nil {
			f.t.Fatal(err)
		}
		if waiting == 0 {
			return
		}
	}
}

// generation counts the writes that the mirror has seen.
func generation(t *testing.T, d *DB) int64 {
	t.Helper()
	var s state
	err := d.view(context.Background(), func(x *tx) (err error) {
		s, err = loadState(x)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.generation
}

func title(t *testing.T, d *DB, p vault.Path) string {
	t.Helper()
	n, ok, err := d.At(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return ""
	}
	return n.Title
}

func TestCatchUpWithNothingToDo(t *testing.T) {
	f := newFolder(t, true)
	f.write("a.md", "# A\n")
	f.write("a/b.md", "# B\n")
	f.commit()
	d := f.index()
	if r := f.catchUp(d); !r.Rebuilt || !r.Complete || r.Files != 2 || r.Changed != 2 {
		t.Errorf("the first catch-up reports %+v", r)
	}
	f.settle(d)

	before, reads := generation(t, d), f.reads.Load()
	other := f.index() // another process holds the write lock
	p, err := other.use(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	err = p.update(context.Background(), func(*tx) error {
		if r := f.catchUp(d); r.Rebuilt || r.Files != 2 || r.Changed != 0 {
			t.Errorf("a catch-up with nothing to do reports %+v", r)
		}
		if got := title(t, d, "a/b.md"); got != "B" {
			t.Errorf("title %q", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if private, why := d.Private(); private {
		t.Errorf("the reader went private: %v", why)
	}
	if after := generation(t, d); after != before || f.reads.Load() != reads {
		t.Errorf("generation %d became %d, %d files were read", before, after, f.reads.Load()-reads)
	}
}

func TestCatchUpFollowsTheDisk(t *testing.T) {
	f := newFolder(t, true)
	f.write("a.md", "# A\n")
	f.write("b.md", "# B\n")
	d := f.caughtUp()

	t.Log("An edit of the same length, in the same tick of the clock, is seen: git's racy rule.")
	for i := range 20 {
		want := fmt.Sprintf("T%02d", i)
		f.write("a.md", "# "+want+"\n")
		f.catchUp(d)
		if got := title(t, d, "a.md"); got != want {
			t.Fatalf("title %q, want %q", got, want)
		}
	}

	t.Log("So is one by somebody who sets the times back.")
	f.settle(d)
	info, err := os.Stat(filepath.Join(f.root, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	f.write("a.md", "# Old\n")
	if err := os.Chtimes(filepath.Join(f.root, "a.md"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	f.catchUp(d)
	if got := title(t, d, "a.md"); got != "Old" {
		t.Errorf("title %q, want Old", got)
	}

	t.Log("A file that was touched is read, and nothing has changed.")
	f.settle(d)
	now := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(f.root, "b.md"), now, now); err != nil {
		t.Fatal(err)
	}
	if r := f.catchUp(d); r.Changed != 0 {
		t.Errorf("report %+v", r)
	}

	t.Log("A time in the future is looked at each time, without writing each time.")
	future := time.Now().Add(24 * time.Hour)
	if err := os.Chtimes(filepath.Join(f.root, "b.md"), future, future); err != nil {
		t.Fatal(err)
	}
	f.catchUp(d)
	before := generation(t, d)
	f.catchUp(d)
	if after := generation(t, d); after != before {
		t.Errorf("generation %d became %d", before, after)
	}

	t.Log("A file that goes takes its row along.")
	f.remove("b.md")
	if r := f.catchUp(d); r.Removed != 1 {
		t.Errorf("report %+v", r)
	}
	if got := title(t, d, "b.md"); got != "" {
		t.Errorf("b.md is still there: %q", got)
	}
}

func TestCatchUpFollowsHead(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, true)
	f.write("a.md", "# A\n")
	d := f.caughtUp()
	head := func(p vault.Path) string {
		n, _, err := d.At(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		return n.Head
	}
	if head("a.md") != "" {
		t.Error("a file of no commit is in HEAD")
	}
	first := f.commit()
	f.catchUp(d)
	if got := head("a.md"); got != f.BlobID([]byte("# A\n")) {
		t.Errorf("head %q", got)
	}
	t.Log("History is rewritten and the commit we stood at is gone.")
	f.write("a.md", "# A2\n")
	f.run("add", "-A")
	f.run("commit", "-q", "--amend", "-m", "y")
	f.run("reflog", "expire", "--expire=now", "--all")
	f.run("gc", "-q", "--prune=now")
	if out, err := f.try("cat-file", "-t", first); err == nil {
		t.Fatalf("the commit is still there: %s", out)
	}
	f.catchUp(d)
	if n, _, _ := d.At(ctx, "a.md"); n.Head != f.BlobID([]byte("# A2\n")) || n.Dirty() {
		t.Errorf("after the amend: %+v", n)
	}
	t.Log("The repository goes; the files stay.")
	f.remove(".git")
	f.git = false
	f.catchUp(d)
	if n, ok, _ := d.At(ctx, "a.md"); !ok || n.Head != "" || n.Title != "A2" {
		t.Errorf("without a repository: %+v", n)
	}
}

func TestCannotReadIsNotDeleted(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, false)
	f.write("a.md", "# A\n")
	f.write("a/b.md", "# B\n")
	f.write("bad.md", "Text.\n\n<!-- sub-memories -->\nno JSON\n<!-- /sub-memories -->\n")
	d := f.caughtUp()
	f.settle(d)
	closed := &closedFolder{folder: f, dir: "a"}
	d.opt.Folders = closed
	for range 2 {
		r, err := d.CatchUp(ctx, sourceOf(closed), vault.Scope{})
		if err != nil || r.Complete || r.Removed != 0 {
			t.Errorf("report %+v, %v", r, err)
		}
		if got := title(t, d, "a/b.md"); got != "B" {
			t.Errorf("a/b.md is gone: %q", got)
		}
	}
	t.Log("A file that was changed and cannot be read keeps what is known, and is reported beside its other problems.")
	f.write("bad.md", "Other text.\n")
	closed = &closedFolder{folder: f, file: "bad.md"}
	d.opt.Folders = closed
	if _, err := d.CatchUp(ctx, sourceOf(closed), vault.Scope{}); err != nil {
		t.Fatal(err)
	}
	kinds := func() string {
		problems, err := d.Problems(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, p := range problems {
			all = append(all, string(p.Path)+" "+p.Kind)
		}
		return strings.Join(all, ", ")
	}
	if got, want := kinds(), "bad.md unreadable, bad.md invalid_block"; got != want {
		t.Errorf("problems %q, want %q", got, want)
	}
	before := generation(t, d)
	if _, err := d.CatchUp(ctx, sourceOf(closed), vault.Scope{}); err != nil {
		t.Fatal(err)
	}
	if generation(t, d) != before {
		t.Error("a file that still cannot be read is written down again")
	}
	d.opt.Folders = f
	f.catchUp(d)
	if got := kinds(); got != "" {
		t.Errorf("problems %q after it could be read again", got)
	}
}

// closedFolder is a folder in which one folder does not open, or one file.
type closedFolder struct {
	*folder
	dir  vault.Path
	file vault.Path
}

func (c *closedFolder) Scan(ctx context.Context, s vault.Scope, fn func(vault.File) error) (bool, error) {
	complete := true
	_, err := c.folder.Scan(ctx, s, func(f vault.File) error {
		if c.dir != "" && f.Path.Within(c.dir) {
			complete = false
			return nil
		}
		return fn(f)
	})
	return complete, err
}

func (c *closedFolder) ScanFolders(_ context.Context, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (bool, error) {
	return scanFolders(c.root, c.Scan, kept, fn)
}

func (c *closedFolder) Read(p vault.Path) ([]byte, vault.Stat, error) {
	if p == c.file {
		return nil, vault.Stat{}, &os.PathError{Op: "open", Path: string(p), Err: os.ErrPermission}
	}
	return c.folder.Read(p)
}

// agedFolder is a folder of files that were written a minute ago.
type agedFolder struct{ *folder }

func (a *agedFolder) Read(p vault.Path) ([]byte, vault.Stat, error) {
	b, st, err := a.folder.Read(p)
	st.MTime, st.CTime = st.MTime-int64(time.Minute), st.CTime-int64(time.Minute)
	return b, st, err
}

func TestAnEmptiedFileIsRemembered(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, true)
	f.write("a.md", "---\nid: pf-a\ntitle: Alpha\n---\nText.\n")
	f.write("a/b.md", "# B\n")
	f.commit()
	d := f.caughtUp()
	f.write("a.md", "")
	f.catchUp(d)
	n, err := d.Find(ctx, "pf-a")
	if err != nil || n.Title != "Alpha" || !n.Dirty() || n.Size != 0 {
		t.Errorf("while the editor saves: %+v, %v", n, err)
	}
	problems, err := d.Problems(ctx)
	if err != nil || len(problems) != 1 || problems[0].Kind != vault.ProblemEmpty {
		t.Errorf("problems %v, %v", problems, err)
	}
	if _, err := d.CatchUp(ctx, sourceOf(&agedFolder{f}), vault.Scope{}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Find(ctx, "pf-a"); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("nobody is saving it, and it has its id: %v", err)
	}
	f.write("a.md", "---\nid: pf-a\ntitle: Alpha two\n---\nText.\n")
	f.catchUp(d)
	if n, err := d.Find(ctx, "pf-a"); err != nil || n.Title != "Alpha two" || n.Children != 1 {
		t.Errorf("when it is saved: %+v, %v", n, err)
	}
	t.Log("A file that is empty from the start is a memory by its name.")
	f.write("c/new.md", "")
	f.catchUp(d)
	if got := title(t, d, "c/new.md"); got == "" {
		t.Error("no row for an empty file")
	}
}

func TestScopes(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, false)
	for _, p := range []string{"a.md", "a/b.md", "a/b/c.md", "t/u/d.md", "z/e.md"} {
		f.write(p, "# Old\n")
	}
	d := f.index()
	if r, err := d.CatchUp(ctx, sourceOf(f), vault.Scope{Dir: "z"}); err != nil || r.Files != 5 {
		t.Fatalf("the first catch-up is always of all: %+v, %v", r, err)
	}
	change := func() {
		for _, p := range []string{"a.md", "a/b.md", "a/b/c.md", "t/u/d.md", "z/e.md"} {
			f.write(p, "# Old\n")
		}
		f.catchUp(d)
		for _, p := range []string{"a.md", "a/b.md", "a/b/c.md", "t/u/d.md", "z/e.md"} {
			f.write(p, "# New\n")
		}
	}
	for _, row := range []struct {
		name  string
		scope vault.Scope
		want  string
	}{
		{"nothing", vault.Scope{None: true}, ""},
		{"a folder and all in it", vault.Scope{Dir: "a"}, "a/b.md a/b/c.md"},
		{"a folder's own files", vault.Scope{Dir: "a", Shallow: true}, "a/b.md"},
		{"the root's own files and those of transparent folders", vault.Scope{Shallow: true}, "a.md t/u/d.md z/e.md"},
		{"everything", vault.Scope{}, "a.md a/b.md a/b/c.md t/u/d.md z/e.md"},
	} {
		t.Run(row.name, func(t *testing.T) {
			change()
			if _, err := d.CatchUp(ctx, sourceOf(f), row.scope); err != nil {
				t.Fatal(err)
			}
			var fresh []string
			for _, p := range []vault.Path{"a.md", "a/b.md", "a/b/c.md", "t/u/d.md", "z/e.md"} {
				if title(t, d, p) == "New" {
					fresh = append(fresh, string(p))
				}
			}
			if got := strings.Join(fresh, " "); got != row.want {
				t.Errorf("fresh are %q, want %q", got, row.want)
			}
		})
	}
	t.Log("A shallow scan drops what it has seen to be gone, and nothing else.")
	f.catchUp(d)
	f.remove("a/b/c.md")
	f.remove("z")
	if _, err := d.CatchUp(ctx, sourceOf(f), vault.Scope{Shallow: true}); err != nil {
		t.Fatal(err)
	}
	if title(t, d, "z/e.md") != "" || title(t, d, "a/b/c.md") == "" {
		t.Error("dropped the wrong rows")
	}
}

func TestApplied(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, true)
	f.write("a.md", "# A\n")
	f.write("a/b.md", "# B\n")
	before := f.commit()
	d := f.caughtUp()
	f.settle(d)

	t.Log("Only the receipt's paths are read, and HEAD's side moves to its commit.")
	f.write("a/c.md", "# C\n")
	f.write("other.md", "# Somebody else's\n")
	f.run("add", "a/c.md")
	f.run("commit", "-q", "-m", "x")
	commit := f.run("rev-parse", "HEAD")
	reads := f.reads.Load()
	err := d.ApplyReceipt(ctx, sourceOf(f), vault.Receipt{Before: before, Commit: commit, Paths: []vault.Path{"a/c.md"}})
	if err != nil || f.reads.Load() != reads+1 {
		t.Errorf("%d files were read, %v", f.reads.Load()-reads, err)
	}
	n, ok, err := d.At(ctx, "a/c.md")
	if err != nil || !ok || n.Parent == "" || n.Dirty() {
		t.Errorf("the new memory: %+v, %v", n, err)
	}

	t.Log("A folder moved: its name stands for all in it.")
	before = commit
	f.rename("a.md", "z/a.md")
	f.rename("a", "z/a")
	f.run("add", "-A")
	commit = f.commit()
	err = d.ApplyReceipt(ctx, sourceOf(f), vault.Receipt{Before: before, Commit: commit, Paths: []vault.Path{"a.md", "z/a.md", "a", "z/a"}})
	if err != nil {
		t.Fatal(err)
	}
	if n, ok, err = d.At(ctx, "z/a/b.md"); err != nil || !ok || n.Depth != 1 || n.Dirty() || title(t, d, "a/b.md") != "" {
		t.Errorf("the moved child: %+v, %v", n, err)
	}

	t.Log("Where HEAD had moved on in between, its side is left to the next catch-up.")
	f.write("z/a/b.md", "# B2\n")
	first := f.commit()
	f.write("z/a/c.md", "# C2\n")
	second := f.commit()
	if err := d.ApplyReceipt(ctx, sourceOf(f), vault.Receipt{Before: first, Commit: second, Paths: []vault.Path{"z/a/c.md"}}); err != nil {
		t.Fatal(err)
	}
	f.catchUp(d)
	if drift, err := d.Drift(ctx); err != nil || len(drift) != 0 {
		t.Errorf("drift %v, %v", drift, err)
	}
}

// TestAppliedToManyFiles: what brings in more than there is has the mirror made
// again, in another file; one file more is written into the one that is there.
func TestAppliedToManyFiles(t *testing.T) {
	testlevel.Check(t)
	ctx := context.Background()
	f := newFolder(t, true)
	f.write("a.md", "# A\n")
	before := f.commit()
	d := f.caughtUp()
	epoch := func() (epoch string) {
		if err := d.view(ctx, func(x *tx) error {
			return x.One(`SELECT CAST(value AS TEXT) FROM state WHERE key = 'epoch'`, nil, &epoch)
		}); err != nil {
			t.Fatal(err)
		}
		return epoch
	}
	for _, row := range []struct {
		name   string
		write  func() []vault.Path
		remade bool
	}{
		{"a crowd", func() (paths []vault.Path) {
			crowd(f, fewFiles)
			for _, name := range strings.Fields(f.run("ls-files", "-o", "--exclude", ".cp")) {
				paths = append(paths, vault.Path(name))
			}
			return paths
		}, true},
		{"one more", func() []vault.Path { f.write("b.md", "# B\n"); return []vault.Path{"b.md"} }, false},
	} {
		was := epoch()
		paths := row.write()
		f.run("add", "*.md")
		f.run("commit", "-q", "-m", row.name)
		commit := f.run("rev-parse", "HEAD")
		reads := f.reads.Load()
		if err := d.ApplyReceipt(ctx, sourceOf(f), vault.Receipt{Before: before, Commit: commit, Paths: paths}); err != nil {
			t.Fatal(err)
		}
		all := int64(len(paths))
		if row.remade {
			all++ // and a.md
		}
		if got := f.reads.Load() - reads; got != all || (epoch() != was) != row.remade {
			t.Errorf("%s: %d files were read, want %d; another mirror: %v, want %v", row.name, got, all, epoch() != was, row.remade)
		}
		fresh := f.fresh()
		if diff := cmp.Diff(dump(t, fresh), dump(t, d)); diff != "" {
			t.Errorf("%s: the mirror differs from a rebuild (-rebuild +mirror):\n%s", row.name, diff)
		}
		_ = fresh.Close()
		before = commit
	}
}
