package index

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/journal"
)

// tamper changes the mirror's tables behind its back.
func (f *folder) tamper(statements ...string) {
	f.t.Helper()
	db, err := sql.Open("sqlite3", f.file())
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			f.t.Fatalf("%s: %v", s, err)
		}
	}
}

// Each row is what somebody has done to the tables, and what a comparison with the files
// then finds.
func TestVerify(t *testing.T) {
	for name, row := range map[string]struct{ tamper, want string }{
		"nothing":           {"", "true, 5 files, 5 indexed"},
		"a row is gone":     {`DELETE FROM memories WHERE id = 'pf-a'`, "false, 5 files, 5 indexed, missing a.md"},
		"a file is gone":    {`DELETE FROM files WHERE path = 'a.md'`, "false, 5 files, 4 indexed, missing a.md, mismatched a/b.md"},
		"a row too many":    {`INSERT INTO files (path, dir, rank, disk, hash) SELECT 'z.md', dir, rank, 1, hash FROM files WHERE path = 'a.md'`, "false, 5 files, 6 indexed, orphaned z.md"},
		"another text":      {`UPDATE files SET hash = x'00' WHERE path = 'a/b.md'`, "false, 5 files, 5 indexed, mismatched a/b.md"},
		"another content":   {`UPDATE memories SET content = x'00' WHERE id = 'pf-b'`, "false, 5 files, 5 indexed, mismatched a/b.md"},
		"two of them":       {`DELETE FROM memories WHERE id = 'pf-a'; UPDATE memories SET content = x'00' WHERE id = 'pf-b'`, "false, 5 files, 5 indexed, missing a.md, mismatched a/b.md"},
		"another title":     {`UPDATE memories SET title = 'Z' WHERE id = 'pf-b'`, "false, 5 files, 5 indexed, mismatched a/b.md"},
		"another phrase":    {`UPDATE memories SET summary = 'when z' WHERE id = 'pf-a'`, "false, 5 files, 5 indexed, mismatched a.md"},
		"another parent":    {`UPDATE memories SET parent = NULL, depth = 0 WHERE id = 'pf-b'`, "false, 5 files, 5 indexed, mismatched a/b.md"},
		"a label too many":  {`INSERT INTO labels SELECT n, 0, 'x' FROM files WHERE path = 'a.md'`, "false, 5 files, 5 indexed, mismatched a.md"},
		"a link to nowhere": {`INSERT INTO links SELECT n, 'link', 1, 'x', '', '', 0 FROM files WHERE path = 'a.md'`, "false, 5 files, 5 indexed, mismatched a.md"},
		"no file's label":   {`INSERT INTO labels VALUES (99, 0, 'x')`, "false, 5 files, 5 indexed, mismatched .cp/index.db"},
		"other words":       {`DELETE FROM docs WHERE rowid = (SELECT n FROM files WHERE path = 'a.md')`, "false, 5 files, 5 indexed, mismatched a.md"},
		"a search for less": {`UPDATE docs SET title = 'a', path = '', labels = '', summary = '', body = 'word', keywords = '' WHERE rowid = (SELECT n FROM files WHERE path = 'a.md')`, "false, 5 files, 5 indexed, mismatched a.md"},
		"unreadable before": {`UPDATE files SET hash = x'' WHERE path = 'a.md'`, "false, 5 files, 5 indexed, mismatched a.md"},
	} {
		f := newFolder(t, true)
		f.write("a.md", "---\nid: pf-a\ntitle: A\n---\r\nText.")
		f.write("a/b.md", "\ufeff---\nid: pf-b\n---\n# B\n")
		f.write("broken.md", "---\n[\n---\nText.\n")
		f.write("empty.md", "")
		f.write("binary.md", "a\x00b")
		d := f.caughtUp()
		if row.tamper != "" {
			f.tamper(row.tamper)
		}
		r, err := doctor.CompareIndex(context.Background(), f, d)
		got := fmt.Sprintf("%v, %d files, %d indexed", r.Consistent, r.Files, r.Indexed)
		for _, one := range r.Differences {
			got += ", " + one.Kind + " " + string(one.Path)
		}
		if err != nil || got != row.want || r.Missing+r.Orphaned+r.Mismatched != len(r.Differences) {
			t.Errorf("%s: %v, got %s, want %s", name, err, got, row.want)
		}
	}
}

// What there is of each kind, of each piece of work and at each level.
func TestTotals(t *testing.T) {
	f := newFolder(t, true)
	if got := must(t)(f.caughtUp().Totals(context.Background())); len(got.Kinds)+len(got.Specs) != 0 || got.Levels != (journal.Levels{}) {
		t.Errorf("an empty vault: got %+v", got)
	}
	entry := func(name, keys string) { f.write(name+".md", "---\nid: pf-"+name+"\n"+keys+"---\n") }
	entry("tree", "title: A memory\n")
	entry("task", "type: task\n")
	entry("d1", "type: decision\nspec: b\nstatus: closed\n")
	entry("d2", "type: decisions\nspec: b\n")
	entry("d3", "type: decision\nspec: a\nlong_term_at: 2026-01-01\n")
	entry("f", "type: finding\n")
	entry("r", "type: review\nspec: a\n")
	entry("w", "type: learning\nwants_place: true\n")
	entry("o", "type: observation\n")
	entry("n", "type: observation\ndenied_at: 2026-01-02\napproved_at: 2026-01-02\n")
	entry("y", "type: observation\ndenied_at: 2026-01-02\napproved_at: 2026-01-03\n")
	entry("c", "type: observation\nlong_term_at: 2026-01-01\ncore_at: 2026-01-02\n")
	entry("z", "type: learning\nspec: c\n")
	want := journal.Totals{
		Kinds:  map[string]int{"decisions": 3, "reviews": 2, "learnings": 2, "observations": 4},
		Specs:  []journal.SpecTotal{{Spec: "a", Entries: 2}, {Spec: "b", Entries: 2}, {Spec: "c", Entries: 1}},
		Levels: journal.Levels{Pending: 3, LongTerm: 2, Core: 1, Denied: 1},
	}
	if diff := cmp.Diff(want, must(t)(f.caughtUp().Totals(context.Background()))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for i := range journal.MaxSpecs {
		entry(fmt.Sprint("s", i), fmt.Sprintf("type: learning\nspec: s%d\n", i))
	}
	if got := must(t)(f.caughtUp().Totals(context.Background())); len(got.Specs) != journal.MaxSpecs || !got.MoreSpecs {
		t.Errorf("got %d specs, more %v", len(got.Specs), got.MoreSpecs)
	}
}

func must(t *testing.T) func(journal.Totals, error) journal.Totals {
	return func(r journal.Totals, err error) journal.Totals {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}
