package journal_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// twins are an observation and the memory that it says nearly the same as.
func twins() vaultmap.Files {
	return vaultmap.Family().With(vaultmap.Files{
		"deploy/rollback.md":      "---\nid: pf-aa2\ntitle: Rollback\nsummary: when to go back\nlabels: [a]\nsessions: [s1]\nseen_before: 2\nfirst_seen: 2026-02-02T00:00:00Z\nlast_seen: 2026-02-02T00:00:00Z\n---\nRoll back.\n",
		"journal/2026/02/seen.md": "---\nid: pf-ob1\ntitle: Roll back\ntype: observation\nlabels: [b]\nsessions: [s1, s2]\nseen_before: 3\nfirst_seen: 2026-02-01T00:00:00Z\nlast_seen: 2026-02-03T00:00:00Z\n---\nRoll it back.\n",
	})
}

// What was counted of one memory is counted of the other, and nothing of a text is lost.
func TestPlanMerge(t *testing.T) {
	closed := twins()
	closed["deploy/rollback.md"] = "---\nid: pf-aa2\ntitle: Rollback\nstatus: closed\n---\n"
	vaultmap.Run(t, []vaultmap.Row[journal.Merged]{
		{Name: "sessions, labels and dates", Start: twins(), Verb: journal.Merge{ID: "pf-ob1", Into: "pf-aa2"}, Says: `"into":"pf-aa2"`,
			Want: `
				deploy/rollback.md
				-labels: [a]
				-sessions: [s1]
				-seen_before: 2
				-first_seen: 2026-02-02T00:00:00Z
				-last_seen: 2026-02-02T00:00:00Z
				+labels: [a, b]
				+sessions: [s1, s2]
				+seen_before: 5
				+first_seen: 2026-02-01T00:00:00Z
				+last_seen: 2026-02-03T00:00:00Z
				+supersedes: [pf-ob1]
				journal/2026/02/seen.md
				+superseded_by: [pf-aa2]
				+superseded_at: 2026-02-07T15:30:00Z
				+status: closed
				+resolved_at: 2026-02-07T15:30:00Z`},
		{Name: "nothing was counted", Verb: journal.Merge{ID: "pf-aa2", Into: "pf-aa3"},
			Want: `
				deploy/rollback.md
				+superseded_by: [pf-aa3]
				+superseded_at: 2026-02-07T15:30:00Z
				+status: closed
				+resolved_at: 2026-02-07T15:30:00Z
				deploy/secrets.md
				+supersedes: [pf-aa2]`},
		{Name: "itself", Verb: journal.Merge{ID: "pf-aa2", Into: "pf-aa2"},
			Err: "a memory cannot supersede itself | name the memory that has taken its place"},
		{Name: "a closed one", Start: closed, Verb: journal.Merge{ID: "pf-ob1", Into: "pf-aa2"},
			Err: "pf-aa2 is closed | merge it into one that is open"},
		{Name: "none", Verb: journal.Merge{ID: "pf-aa2", Into: "pf-none"},
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	})
}

// A decision is about the text that the person saw.
func TestPlanDecision(t *testing.T) {
	title := "New"
	rename := journal.PartOf(tree.Amend{Ref: "pf-aa2", Title: &title})
	was := vaultmap.New(vaultmap.Family())
	hash := was.Store.BlobID([]byte(was.Disk["deploy/rollback.md"]))
	vaultmap.Run(t, []vaultmap.Row[journal.QueueDecided]{
		{Name: "as it was", Verb: journal.Decision{Verb: "approve", ID: "pf-aa2", Hash: hash, Parts: []journal.DecisionPart{rename}}, Says: `"title":"New"`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "New", "summary": "when to go back"},
				deploy/rollback.md
				-title: Rollback
				+title: New`},
		{Name: "changed meanwhile", Given: vaultmap.Type("deploy/rollback.md", "Roll back.", "Roll it back."),
			Verb: journal.Decision{Verb: "approve", ID: "pf-aa2", Hash: hash, Parts: []journal.DecisionPart{rename}},
			Left: `
				deploy/rollback.md
				-Roll back.
				+Roll it back.`,
			Err: "pf-aa2 was changed meanwhile | look at it again and decide then"},
		{Name: "gone meanwhile", Verb: journal.Decision{Verb: "approve", ID: "pf-none", Hash: hash, Parts: []journal.DecisionPart{rename}},
			Err: "pf-none is gone: it was taken away meanwhile | look at the queue again"},
		{Name: "a part that fails", Verb: journal.Decision{Verb: "approve", ID: "pf-aa2", Parts: []journal.DecisionPart{rename,
			func(context.Context, *vault.Tx) error { return errors.New("no") }}}, Err: "no"},
	})
}
