package journal_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// delivered delivers one write that waited, in a vault with those files.
func delivered(t *testing.T, start files, verb, options string) (*vaultmap.World, vault.Delivered) {
	t.Helper()
	w := vaultmap.New(start)
	w.Deliverable = tree.Deliverable(journal.Verbs(tier.Default(), func() recall.Analyse { return nil })...)
	if err := w.Store.Queue(t.Context(), vault.Queued{Verb: verb, Options: []byte(options)}); err != nil {
		t.Fatal(err)
	}
	got, err := w.Deliver(t.Context())
	if err != nil || len(got) != 1 {
		t.Fatalf("delivered %+v, %v", got, err)
	}
	vaultmap.Equal(t, "what is in no commit", vaultmap.Diff(w.Head(), w.Disk), "")
	return w, got[0]
}

// A capture that waited is made as it was queued.
func TestQueuedCapture(t *testing.T) {
	w, got := delivered(t, kept(nil), "capture", `{"kind":"learning","title":"It leaks","under":"pf-aa1","summary":"when it leaks","id":"pf-q1"}`)
	if got.ID != "pf-q1" || got.ParentID != "pf-aa1" || got.Path != "deploy/it-leaks.md" || len(got.Warnings) > 0 {
		t.Errorf("delivered %+v", got)
	}
	if !strings.Contains(w.Head()["deploy.md"], `"summary": "when it leaks"`) {
		t.Errorf("the parent says\n%s", w.Head()["deploy.md"])
	}
}

// Where the parent is gone by then it goes to the journal, and says so.
func TestQueuedCaptureWithoutItsParent(t *testing.T) {
	_, got := delivered(t, kept(nil), "capture", `{"kind":"learning","title":"It leaks","under":"pf-gone","summary":"when","relates_to":["pf-none"],"id":"pf-q1"}`)
	if got.ID != "pf-q1" || got.Path != "journal/2026/02/learning-it-leaks.md" || !strings.HasPrefix(strings.Join(got.Warnings, "\n"), "pf-q1 went to the journal: ") {
		t.Errorf("delivered %+v", got)
	}
}

// An observation that waited is made, without the memories that are gone by then.
func TestQueuedObserve(t *testing.T) {
	for _, relates := range []string{`[]`, `["pf-gone"]`} {
		w, got := delivered(t, kept(nil), "observe", `{"text":"It hangs.","session":"a","relates_to":`+relates+`}`)
		if text := w.Head()[got.Path]; !strings.Contains(text, "sessions: [a]\n") || strings.Contains(text, "relates_to") {
			t.Errorf("relating to %s it says\n%s", relates, text)
		}
	}
}

// What comes to nothing, since it is there already, waits no more, and nothing is told of it.
func TestQueuedWriteComesToNothing(t *testing.T) {
	w := vaultmap.New(seen("sessions: [a]\n"))
	w.Deliverable = tree.Deliverable(journal.Verbs(tier.Default(), func() recall.Analyse { return nil })...)
	for _, session := range []string{"a", "b"} {
		if err := w.Store.Queue(t.Context(), vault.Queued{Verb: "observe", Options: []byte(`{"id":"pf-obs","session":"` + session + `"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.Deliver(t.Context())
	if err != nil || len(got) != 1 || !strings.Contains(w.Head()["journal/2026/02/observation-it-hangs.md"], "sessions: [a, b]") {
		t.Errorf("delivered %+v, %v", got, err)
	}
	if waiting, err := w.Store.Waiting(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("there wait %+v, %v", waiting, err)
	}
}

// line reads a line of a batch by the room's table.
func line(verb, options string) (tree.Line, error) {
	for _, v := range journal.Verbs(tier.Default(), func() recall.Analyse { return nil }) {
		if v.Name == verb {
			return v.Line([]byte(options))
		}
	}
	return nil, vault.Errorf(vault.CodeInvalid, "", "no verb %s", verb)
}

func TestPlanLines(t *testing.T) {
	do := func(lines ...[2]string) func(context.Context, *vaultmap.World) (tree.Batched, error) {
		return func(ctx context.Context, w *vaultmap.World) (tree.Batched, error) {
			var b tree.Batch
			for i, l := range lines {
				made, err := line(l[0], l[1])
				if err != nil {
					return tree.Batched{}, err
				}
				b.Lines = append(b.Lines, tree.BatchLine{Number: i + 1, Verb: made})
			}
			return b.Do(ctx, w.Vault)
		}
	}
	vaultmap.Run(t, []vaultmap.Row[tree.Batched]{
		{Name: "captured and resolved", Start: kept(files{"journal/2026/02/blocker-oom.md": "---\nid: pf-b1\ntitle: OOM\ntype: blocker\n---\n"}), Do: do([2]string{"capture", `{"kind":"learning","title":"It leaks"}`}, [2]string{"resolve", `{"id":"pf-b1"}`}), Says: `"path":"journal/2026/02/learning-it-leaks.md"`, Want: `
				journal/2026/02/blocker-oom.md
				+status: closed
				+resolved_at: 2026-02-07T15:30:00Z
				new journal/2026/02/learning-it-leaks.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "observed, approved and promoted", Start: seen("sessions: [a]\n"), Do: do([2]string{"observe", `{"id":"pf-obs","session":"b"}`}, [2]string{"approve", `{"id":"pf-obs"}`}, [2]string{"promote", `{"id":"pf-obs","to":"long-term","under":"pf-aa1","summary":"when it hangs"}`}), Says: `"path":"deploy/it-hangs.md"`, Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-obs", "title": "It hangs", "summary": "when it hangs"}
				journal/2026/02/observation-it-hangs.md > deploy/it-hangs.md
				-sessions: [a]
				+sessions: [a, b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z
				+approved_at: 2026-02-07T15:30:00Z
				+approved_by: tester
				+summary: when it hangs
				+long_term_at: 2026-02-07T15:30:00Z`},
		{Name: "denied", Start: seen(""), Do: do([2]string{"deny", `{"id":"pf-obs","reason":"no"}`}), Says: `"id":"pf-obs"`, Want: `
				journal/2026/02/observation-it-hangs.md
				+denied_at: 2026-02-07T15:30:00Z
				+denied_by: tester
				+denied_reason: "no"`},
		{Name: "up in the tree", Do: do([2]string{"promote", `{"id":"pf-aa2"}`}), Says: `"path":"rollback.md"`, Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				deploy/rollback.md > rollback.md`},
		{Name: "mixed meanings", Do: do([2]string{"promote", `{"id":"pf-aa2","approve":true}`}), Err: `--under, --summary, --target and --approve are for a promotion with --to | add --to long-term or --to core, or leave the other options out`},
		{Name: "to core", Do: do([2]string{"promote", `{"id":"pf-aa2","to":"core"}`}), Err: "'core' is no target of a line | a line promotes to long-term; `cp memory promote --to core` writes the agents' files"},
	})
}
