package sync_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
)

// many returns a memory whose block has n entries without a file, and then those given.
func many(id string, n int, more ...string) string {
	var rows []string
	for i := range n {
		rows = append(rows, fmt.Sprintf(`  {"id": "pf-%06d", "title": "T", "summary": "When t"}`, i))
	}
	return "---\nid: " + id + "\ntitle: Parent\n---\ntext\n\n<!-- sub-memories -->\n[\n" + strings.Join(append(rows, more...), ",\n") + "\n]\n<!-- /sub-memories -->\n"
}

// asked counts the questions to a mirror.
type asked struct {
	vault.Places
	vault.Lists
	n int
}

func (a *asked) Find(ctx context.Context, ref string) (vault.Node, error) {
	a.n++
	return a.Places.Find(ctx, ref)
}

func (a *asked) List(ctx context.Context, o vault.ListOptions) ([]vault.Node, int, error) {
	a.n++
	return a.Lists.List(ctx, o)
}

// A file that was pulled may have any number of pointers to nothing: what the mirror
// is asked does not grow with them: sync asks for twenty of them where a folder may have been
// left behind.
func TestSyncAsksFewQuestionsForAllStalePointers(t *testing.T) {
	w := newWorld(t)
	w.Write("p.md", many("pf-aaa", 200, `  {"id": "pf-task", "title": "Task", "summary": "When task"}`, `  {"id": "pf-away", "title": "Away", "summary": "When away"}`))
	w.Write("p/task.md", "---\nid: pf-task\ntitle: Task\ntype: task\n---\n")
	w.Write("q/away.md", "---\nid: pf-away\ntitle: Away\ntype: task\n---\n")
	w.Commit("pulled")
	a := &asked{Places: w.Mirror.Places, Lists: w.Mirror.Lists}
	w.Mirror.Places, w.Mirror.Lists = a, a
	if _, err := w.Sync(w.Ctx, sync.Options{DryRun: true}); err != nil || a.n > 22 {
		t.Errorf("%d questions for 201 stale pointers, %v", a.n, err)
	}
	w.sync(sync.Options{})
	w.Contains("p.md", w.Head("p.md"), "pf-task")
	w.Lacks("p.md", w.Head("p.md"), "pf-0", "pf-away")
}

// A block above the limit is told with path and line, the mirror takes no more of
// it than the limit, and sync still makes it right.
func TestSyncTellsOfABlockWithTooManyEntries(t *testing.T) {
	testlevel.Check(t)
	w := newWorld(t)
	w.Write("p.md", many("pf-aaa", vault.MaxPointers, `  {"id": "pf-bbb", "title": "B", "summary": "When b"}`))
	w.Write("p/b.md", "---\nid: pf-bbb\ntitle: B\n---\n")
	w.Commit("pulled")
	out, err := w.Sync(w.Ctx, sync.Options{DryRun: true})
	w.Check(err)
	if want := (vault.Problem{Path: "p.md", Kind: vault.ProblemPointers, Line: 7, Msg: "the pointer block has 10001 entries: those after the first 10000 are not in the index"}); len(out.Problems) != 1 || out.Problems[0] != want {
		t.Errorf("got %+v\nwant %+v", out.Problems, want)
	}
	w.Check(w.Mirror.Parents(w.Ctx, "", func(f vault.Family) error {
		if len(f.Entries) != vault.MaxPointers {
			t.Errorf("the mirror has %d entries", len(f.Entries))
		}
		return nil
	}))
	w.sync(sync.Options{})
	w.Contains("p.md", w.Head("p.md"), `{"id": "pf-bbb", "title": "B", "summary": "When b"}`)
	w.Lacks("p.md", w.Head("p.md"), "pf-0")
	if out = w.sync(sync.Options{}); len(out.Problems) > 0 {
		t.Errorf("still %+v", out.Problems)
	}
}
