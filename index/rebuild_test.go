package index

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// library is a vault with a bit of everything, and the dump of its mirror.
func library(t *testing.T) (*folder, string) {
	f := newFolder(t, true)
	crowd(f, 60)
	f.write("p.md", "---\nid: pf-p\nreferences: [pf-0000001]\n---\nText.\n\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-q\", \"title\": \"Q\", \"summary\": \"when q\"}\n]\n<!-- /sub-memories -->\n")
	f.write("p/q.md", "---\nid: pf-q\n---\n[[p]]\n")
	f.commit()
	d := f.caughtUp()
	want := dump(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return f, want
}

func (f *folder) file() string { return filepath.Join(f.root, ".cp", "index.db") }

// put writes bytes in the place of the mirror, as if this clone had made that with
// the key.
func (f *folder) put(b []byte, key int64) {
	f.t.Helper()
	if err := os.WriteFile(f.file(), b, 0o644); err != nil {
		f.t.Fatal(err)
	}
	if err := (file{sqlite.File{Path: f.file()}}).noteMade(f.file(), key); err != nil {
		f.t.Fatal(err)
	}
}

func TestDamagedFilesAreBuiltAgain(t *testing.T) {
	testlevel.Check(t)
	f, want := library(t)
	key := file{sqlite.File{Path: f.file()}}.readMade().key
	sound, err := os.ReadFile(f.file())
	if err != nil {
		t.Fatal(err)
	}
	execute := func(query string) func() {
		return func() {
			f.put(sound, key)
			db, err := sql.Open("sqlite3", f.file())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(query); err != nil {
				t.Fatal(err)
			}
		}
	}
	put := func(b []byte) func() {
		return func() { f.put(b, key) }
	}
	for _, row := range []struct {
		name   string
		damage func()
		bad    bool // set aside
	}{
		{"deleted", func() { f.remove(".cp/index.db") }, false},
		{"the whole folder deleted", func() { f.remove(".cp") }, false},
		{"empty", put(nil), false},
		{"cut in the middle", put(sound[:len(sound)/2]), true},
		{"cut within the header", put(sound[:60]), true},
		{"noise", put(bytes.Repeat([]byte("noise? "), 5000)), true},
		{"zeros", put(make([]byte, 8192)), true},
		{"a text", put([]byte("# My notes\n")), true},
		{"a zeroed page", put(append(append(bytes.Clone(sound[:4096]), make([]byte, 4096)...), sound[8192:]...)), true},
		{"a table dropped", execute(`DROP TABLE names`), true},
		{"a row that cannot be ours", execute(`PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'title     TEXT NOT NULL', 'title     TEXT') WHERE name = 'memories'; PRAGMA writable_schema = 0; PRAGMA schema_version = 99; UPDATE memories SET title = NULL`), true},
		{"an older schema", execute(`PRAGMA user_version = 1; DROP TABLE memories; PRAGMA user_version = 900`), false},
		{"a newer schema", execute(`CREATE TABLE novelty (x); PRAGMA user_version = 4711`), false},
		{"somebody else's database", execute(`PRAGMA user_version = 0`), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			put(sound)()
			f.remove(".cp/index.db.bad")
			row.damage()
			d := f.caughtUp()
			defer d.Close()
			if nodes, err := d.Walk(context.Background(), vault.WalkOptions{}); err != nil || len(nodes) != 62 {
				t.Errorf("%d nodes, %v", len(nodes), err)
			}
			if got := dump(t, d); got != want {
				t.Errorf("the mirror differs from what it was:\n%s", got)
			}
			if private, why := d.Private(); private {
				t.Errorf("the mirror is in memory: %v", why)
			}
			if _, err := os.Stat(f.file() + ".bad"); (err == nil) != row.bad {
				t.Errorf("set aside as .bad: %t, want %t", err == nil, row.bad)
			}
			if hits, _, err := d.Search(context.Background(), "gateway", vault.ListOptions{}); err != nil || len(hits) == 0 {
				t.Errorf("%d hits, %v", len(hits), err)
			}
		})
	}
}

// TestRandomDamage changes bytes anywhere. What SQLite can tell is healed; a
// byte inside a text cannot be told, but answers go on and files stay as they are.
func TestRandomDamage(t *testing.T) {
	f, want := library(t)
	key := file{sqlite.File{Path: f.file()}}.readMade().key
	sound, err := os.ReadFile(f.file())
	if err != nil {
		t.Fatal(err)
	}
	files := f.run("status", "--porcelain", "--", ":!.cp")
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("CP_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	healed := 0
	for range testlevel.Rounds(60) {
		b := bytes.Clone(sound)
		at := rng.IntN(len(b))
		for i := at; i < min(at+1+rng.IntN(6000), len(b)); i++ {
			b[i] = byte(rng.Uint32())
		}
		f.put(b, key)
		d := f.caughtUp()
		ctx := context.Background()
		for _, ask := range []func() error{
			func() error { _, err := d.Walk(ctx, vault.WalkOptions{}); return err },
			func() error { _, _, err := d.List(ctx, vault.ListOptions{}); return err },
			func() error { _, _, err := d.Search(ctx, "gateway", vault.ListOptions{}); return err },
			func() error { _, err := d.Problems(ctx); return err },
			func() error { return d.Parents(ctx, "", func(vault.Family) error { return nil }) },
			func() error { _, err := d.Counts(ctx); return err },
		} {
			if err := ask(); err != nil {
				t.Fatalf("seed %d: bytes from %d changed: %v", seed, at, err)
			}
		}
		if dump(t, d) == want {
			healed++
		}
		_ = d.Close()
		f.remove(".cp")
		if err := os.Mkdir(filepath.Join(f.root, ".cp"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.run("status", "--porcelain", "--", ":!.cp"); got != files {
		t.Errorf("files changed:\n%s", got)
	}
	t.Logf("%d mirrors equal a rebuild", healed)
}

func TestDamageInTheMiddleOfAnAnswer(t *testing.T) {
	f, want := library(t)
	d := f.caughtUp()
	p, err := d.use(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.update(context.Background(), func(x *tx) error { x.Exec(`DROP TABLE labels`); return nil }); err != nil {
		t.Fatal(err)
	}
	if nodes, err := d.Walk(context.Background(), vault.WalkOptions{}); err != nil || len(nodes) != 62 {
		t.Errorf("%d nodes, %v", len(nodes), err)
	}
	if got := dump(t, d); got != want {
		t.Errorf("the mirror differs from what it was:\n%s", got)
	}
}

func TestDeletedWhileOpen(t *testing.T) {
	f, want := library(t)
	d := f.caughtUp()
	f.remove(".cp")
	f.catchUp(d)
	if got := dump(t, d); got != want {
		t.Errorf("the mirror differs from what it was:\n%s", got)
	}
	if _, err := os.Stat(f.file()); err != nil {
		t.Errorf("no new file: %v", err)
	}
}

// TestALockedMirrorIsNotSetAside: while another program keeps the file
// locked, answers come from memory, and the file stays.
// Faults M10.
func TestALockedMirrorIsNotSetAside(t *testing.T) {
	f, _ := library(t)
	f.write("new.md", "# New\n")
	locker, err := sql.Open("sqlite3", f.file()+"?_txlock=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	defer locker.Close()
	hold, err := locker.Begin()
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(f.file())
	if err != nil {
		t.Fatal(err)
	}
	d := f.index(Options{Wait: 20 * time.Millisecond})
	f.catchUp(d)
	if got := title(t, d, "new.md"); got != "New" {
		t.Errorf("title %q", got)
	}
	if private, why := d.Private(); !private || why == nil {
		t.Error("the answer does not come from memory")
	}
	after, err := os.Stat(f.file())
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was replaced: %v", err)
	}
	if _, err := os.Stat(f.file() + ".bad"); err == nil {
		t.Error("a sound mirror was set aside")
	}
	if err := hold.Rollback(); err != nil {
		t.Fatal(err)
	}
	if private, why := f.caughtUp().Private(); private {
		t.Errorf("in memory after the lock is gone: %v", why)
	}
}

// TestWhereNothingCanBeWritten: every answer comes without a file.
// Faults M10.
func TestWhereNothingCanBeWritten(t *testing.T) {
	f := newFolder(t, false)
	f.write("a.md", "---\nid: pf-a\n---\nGateway.\n")
	f.write("a/b.md", "---\nid: pf-b\n---\n")
	d, err := Open("/proc/no/such/folder/index.db", Options{Source: sourceOf(f)})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx := context.Background()
	if n, err := d.Find(ctx, "pf-b"); err != nil || n.Parent != "pf-a" {
		t.Errorf("a point read without a catch-up: %+v, %v", n, err)
	}
	f.write("a/c.md", "---\nid: pf-c\n---\n")
	f.catchUp(d)
	if got := ids(d.Walk(ctx, vault.WalkOptions{})); got != "a:0 b:1 c:1" {
		t.Errorf("walk %s", got)
	}
	if hits, _, err := d.Search(ctx, "gateway", vault.ListOptions{}); err != nil || len(hits) != 1 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
	var families []string
	err = d.Parents(ctx, "", func(f vault.Family) error {
		families = append(families, fmt.Sprint(f.Parent.ID, " ", len(f.Children)))
		return nil
	})
	if got := fmt.Sprint(families); err != nil || got != "[pf-a 2]" {
		t.Errorf("families %q, %v", families, err)
	}
}

// TestManyAtOnce lets writers and readers, each with connections of its own, as
// processes have, work on one mirror while files change and the file is deleted.
func TestManyAtOnce(t *testing.T) {
	f := newFolder(t, false)
	crowd(f, 40)
	ctx := context.Background()
	var all sync.WaitGroup
	for worker := range 6 {
		all.Go(func() {
			d, err := Open(f.file(), Options{Source: sourceOf(f)})
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			for i := range 15 {
				path := fmt.Sprintf("w%d.md", worker)
				f.write(path, fmt.Sprintf("# Version %d of %d\n", i, worker))
				if _, err := d.CatchUp(ctx, sourceOf(f), vault.Scope{}); err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
				n, ok, err := d.At(ctx, vault.Path(path))
				if want := fmt.Sprintf("Version %d of %d", i, worker); err != nil || !ok || n.Title != want {
					t.Errorf("worker %d reads %q, %v; want %q", worker, n.Title, err, want)
				}
				if _, _, err := d.Search(ctx, "version", vault.ListOptions{}); err != nil {
					t.Error(err)
				}
				if worker == 0 && i == 7 {
					_ = os.Remove(f.file())
				}
			}
			if private, why := d.Private(); private {
				t.Errorf("worker %d went private: %v", worker, why)
			}
		})
	}
	all.Wait()
	d := f.caughtUp()
	if dump(t, d) != dump(t, f.fresh()) {
		t.Error("the mirror differs from a rebuild")
	}
}

// TestRemovedMirror removes a mirror's file while it is open, and begins another one in its
// place: what was open goes on to answer from its own rows, or fails.
func TestRemovedMirror(t *testing.T) {
	f := newFolder(t, false)
	crowd(f, 3)
	ctx := context.Background()
	old, err := f.caughtUp().use(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.file()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.index(Options{}).use(ctx); err != nil {
		t.Fatal(err)
	}
	if s, err := old.state(ctx); err != nil || !s.filled {
		t.Errorf("the open mirror says %+v, %v", s, err)
	}
	if _, err = old.write.ExecContext(ctx, `SELECT 1`); !errors.Is(err, sqlite.ErrSwapped) {
		t.Errorf("a connection opened later: %v", err)
	}
}

// TestOneMirrorForManyGoroutines is what a server does: everybody asks the same
// DB while its file is deleted and damaged.
func TestOneMirrorForManyGoroutines(t *testing.T) {
	f := newFolder(t, false)
	crowd(f, 40)
	ctx := context.Background()
	d := f.index(Options{Source: sourceOf(f)})
	var all sync.WaitGroup
	for worker := range 6 {
		all.Go(func() {
			for i := range 12 {
				if _, err := d.CatchUp(ctx, sourceOf(f), vault.Scope{}); err != nil {
					t.Errorf("catch up: %v", err)
				}
				if nodes, err := d.Walk(ctx, vault.WalkOptions{}); err != nil || len(nodes) != 40 {
					t.Errorf("%d nodes, %v", len(nodes), err)
				}
				switch {
				case worker == 0 && i == 4:
					_ = os.Remove(f.file())
				case worker == 1 && i == 8:
					if p, err := d.use(ctx); err == nil {
						_ = p.update(ctx, func(x *tx) error { x.Exec(`DROP TABLE IF EXISTS labels`); return nil })
					}
				}
			}
		})
	}
	all.Wait()
	if got := dump(t, d); got != dump(t, f.fresh()) {
		t.Error("the mirror differs from a rebuild")
	}
}
