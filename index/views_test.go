package index

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
)

// world is a vault with telemetry, told in few words.
type world struct {
	*folder
	d *DB
	u *usage.DB
}

// newWorld writes memories told as "a/b.md closed task 14": a path, words for
// status and type, and how often it was read. The id is the name: pf-b.
func newWorld(t *testing.T, told ...string) *world {
	t.Helper()
	f := newFolder(t, false)
	u, err := usage.Open(filepath.Join(f.root, ".git", "cp", "usage.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	for i, line := range told {
		words := strings.Fields(line)
		path := vault.Path(words[0])
		id := "pf-" + vault.Path(path.Base()).Stem()
		var header strings.Builder
		fmt.Fprintf(&header, "---\nid: %s\ntitle: %s\ncreated: 2026-02-07T15:30:%02dZ\n", id, strings.ToUpper(vault.Path(path.Base()).Stem().Base()), i)
		for _, word := range words[1:] {
			var reads int
			switch n, _ := fmt.Sscan(word, &reads); {
			case n == 1:
				touch(t, u, vault.ID(id), reads)
			case word == "phrase":
				header.WriteString("summary: When " + string(id) + "\n")
			case word == "task":
				header.WriteString("type: task\n")
			default:
				header.WriteString("status: " + word + "\n")
			}
		}
		f.write(words[0], header.String()+"---\nText.\n")
	}
	return &world{folder: f, d: f.caughtUp(Options{Usage: u}), u: u}
}

func touch(t *testing.T, u *usage.DB, id vault.ID, times int) {
	t.Helper()
	at := time.Date(2026, 2, 7, 15, 30, 0, 0, time.UTC)
	reads := make([]vault.Access, times)
	for i := range reads {
		reads[i] = vault.Access{ID: id, At: at.Add(time.Duration(i) * time.Second), By: "agent-penfold"}
	}
	if err := u.Touch(context.Background(), reads); err != nil {
		t.Fatal(err)
	}
}

// ask runs SQL on the index file as a person with the sqlite3 command would,
// and returns the rows as "a b|c d".
func (w *world) ask(query string) string {
	w.t.Helper()
	var b strings.Builder
	err := w.d.view(context.Background(), func(x *tx) error {
		b.Reset()
		return dumpRows(&b, x, query)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), " | ", " ")
}

func lines(all ...string) string { return strings.Join(all, "\n") }

// The rows of these tables are the SQL tests of the specification, by their names.
func TestViews(t *testing.T) {
	for _, row := range []struct {
		name  string
		given []string
		query string
		want  string
	}{
		{"memory_tree returns full hierarchy", []string{"a.md", "a/b.md", "a/c.md", "a/b/d.md"},
			`SELECT id, depth FROM memory_tree`, lines("pf-a 0", "pf-b 1", "pf-c 1", "pf-d 2")},
		{"memory_tree includes access counts", []string{"a.md 14"}, `SELECT access_count FROM memory_tree`, "14"},
		{"memory_tree includes child counts", []string{"a.md", "a/b.md", "a/c.md", "a/d.md"},
			`SELECT child_count FROM memory_tree WHERE id = 'pf-a'`, "3"},
		{"memory_tree excludes closed memories", []string{"a.md", "a/b.md", "a/c.md closed"},
			`SELECT id FROM memory_tree`, lines("pf-a", "pf-b")},
		{"memory_tree excludes non-memory shards", []string{"a.md", "t.md task"}, `SELECT id FROM memory_tree`, "pf-a"},
		{"memory_tree empty project", nil, `SELECT * FROM memory_tree`, ""},
		{"memory_tree tells parent, status, labels, summary", []string{"a.md", "a/b.md deferred"},
			`SELECT parent_id, status, labels, summary, last_accessed FROM memory_tree WHERE id = 'pf-b'`, "pf-a deferred []  <nil>"},
		{"memory_children returns direct children only", []string{"a.md", "a/b.md", "a/c.md", "a/b/d.md"},
			`SELECT id FROM memory_children WHERE parent_id = 'pf-a'`, lines("pf-b", "pf-c")},
		{"memory_children includes child counts", []string{"a.md", "a/b.md", "a/b/x.md", "a/b/y.md", "a/c.md"},
			`SELECT id, child_count FROM memory_children WHERE parent_id = 'pf-a'`, lines("pf-b 2", "pf-c 0")},
		{"memory_children no children", []string{"a.md"}, `SELECT * FROM memory_children WHERE parent_id = 'pf-a'`, ""},
		{"memory_tree: a root has no summary, its phrase is in memory_all", []string{"a.md phrase", "a/b.md phrase"},
			`SELECT t.id, t.summary IS NULL, a.summary FROM memory_tree t JOIN memory_all a USING (id) ORDER BY t.depth`, lines("pf-a 1 When pf-a", "pf-b 0 When pf-b")},
		{"memory_path for root", []string{"a.md"}, `SELECT id, depth FROM memory_path WHERE memory_id = 'pf-a'`, "pf-a 0"},
		{"memory_path for grandchild, root first", []string{"a.md", "a/b.md", "a/b/c.md"},
			`SELECT id, depth FROM memory_path WHERE memory_id = 'pf-c'`, lines("pf-a 0", "pf-b 1", "pf-c 2")},
		{"memory_hot finds promotion candidates", []string{"a.md 10", "a/b.md 20"},
			`SELECT * FROM memory_hot`, "pf-b B 1 20 pf-a A 10"},
		{"memory_hot excludes children with fewer reads than parent", []string{"a.md 20", "a/b.md 5"}, `SELECT * FROM memory_hot`, ""},
		{"memory_hot respects min_depth", []string{"a.md 10", "a/b.md 20", "a/b/c.md 30"},
			`SELECT id FROM memory_hot WHERE depth >= 2`, "pf-c"},
		{"memory_hot ordered by access count", []string{"a.md 10", "a/b.md 20", "a/c.md 30"},
			`SELECT id, access_count FROM memory_hot`, lines("pf-c 30", "pf-b 20")},
		{"memory_hot no candidates", []string{"a.md 3", "a/b.md 2", "a/c.md"}, `SELECT * FROM memory_hot`, ""},
		{"memory_hot with a parent never read", []string{"a.md", "a/b.md 1"}, `SELECT id, parent_access_count FROM memory_hot`, "pf-b 0"},
		{"edges has the child-of edge with the summary", []string{"a.md", "a/b.md"},
			`SELECT from_id, to_id, kind FROM edges`, "pf-b pf-a child-of"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := newWorld(t, row.given...).ask(row.query); got != row.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", row.query, got, row.want)
			}
		})
	}
}

// ids names nodes for comparison, with their depth.
func ids(nodes []vault.Node, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var all []string
	for _, n := range nodes {
		all = append(all, fmt.Sprintf("%s:%d", strings.TrimPrefix(string(n.ID), "pf-"), n.Depth))
	}
	return strings.Join(all, " ")
}

func TestTreeFromSpecificRoot(t *testing.T) {
	w := newWorld(t, "a.md", "a/b.md", "x.md", "x/y.md")
	if got := ids(w.d.Walk(context.Background(), vault.WalkOptions{Root: "pf-a"})); got != "a:0 b:1" {
		t.Errorf("got %s, want a and b only", got)
	}
}

func TestHotParameters(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, "a.md 10", "a/b.md 20", "a/b/c.md 30", "a/d.md 40")
	if got := ids(w.d.Hot(ctx, 2, 0)); got != "c:2" {
		t.Errorf("min depth 2: %s", got)
	}
	if got := ids(w.d.Hot(ctx, 1, 2)); got != "d:1 c:2" {
		t.Errorf("limit 2: %s", got)
	}

	t.Log("A reading counts in the very next answer, without a catch-up.")
	touch(t, w.u, "pf-a", 100)
	if got := ids(w.d.Hot(ctx, 1, 0)); got != "c:2" {
		t.Errorf("after the root was read 110 times: %s", got)
	}

	t.Log("The views tell a reading that the telemetry of the mirror counts, and its rows are as they were.")
	before, _ := w.d.Generation(ctx)
	if err := w.d.Telemetry().Touch(ctx, []vault.Access{{ID: "pf-a", At: time.Now()}}); err != nil {
		t.Fatal(err)
	}
	if got := w.ask(`SELECT access_count FROM memory_tree WHERE id = 'pf-a'`); got != "111" {
		t.Errorf("the view has %s readings, want 111", got)
	}
	if after, _ := w.d.Generation(ctx); after != before {
		t.Errorf("a reading made generation %v of %v", after, before)
	}

	t.Log("Telemetry outlives the index, and goes with the memory.")
	_ = w.d.Close()
	w.remove(".cp")
	w.d = w.caughtUp(Options{Usage: w.u})
	if n, err := w.d.Find(ctx, "pf-a"); err != nil || n.Reads.Count != 111 {
		t.Errorf("after the index was deleted: %v reads, %v", n.Reads, err)
	}
	if err := w.u.Forget(ctx, []vault.ID{"pf-c"}); err != nil {
		t.Fatal(err)
	}
	if got := ids(w.d.Hot(ctx, 1, 0)); got != "" {
		t.Errorf("after c was forgotten: %s", got)
	}
}

// A reading is noted on the connection that reads, which writes nothing else.
func TestTouchOpensNoOtherConnection(t *testing.T) {
	w := newWorld(t, "a.md")
	d := w.index(Options{Usage: w.u})
	if err := d.Telemetry().Touch(t.Context(), []vault.Access{{ID: "pf-a", At: time.Now(), By: "x"}}); err != nil {
		t.Fatal(err)
	}
	if n := d.pool.write.Stats().OpenConnections; n != 0 {
		t.Errorf("%d connections to write", n)
	}
	count := 0
	err := d.pool.view(t.Context(), func(x *tx) error {
		err := x.One(`SELECT count FROM reads WHERE id = 'pf-a'`, nil, &count)
		x.Exec(`DELETE FROM reads`)
		return err
	})
	if count != 1 || err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("count %d, a reader that writes: %v", count, err)
	}
}
