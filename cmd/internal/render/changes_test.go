package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/tree"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

func id(s string) *vault.ID {
	v := vault.ID(s)
	return &v
}

func TestOutcomesOfWrites(t *testing.T) {
	moved := tree.Moved{ID: "pf-aa2", Title: "Troubleshooting", OldParent: id("pf-aa1"), OldTitle: "Deployment", NewParent: id("pf-xx1"), NewTitle: "Infrastructure", NewDepth: 1, OldDepth: 1}
	rooted := tree.Moved{ID: "pf-aa2", Title: "Troubleshooting", OldParent: id("pf-aa1"), OldTitle: "Deployment", OldDepth: 1,
		Relinked: tree.Relinked{LinksMoved: tree.LinksMoved{Mended: []tree.Link{{Path: "a.md", From: "b.md", To: "c/b.md"}}, Unmended: []tree.Link{{Path: "b.md", From: "../rollback.md", To: "rollback.md"}}}, Broken: []string{"../rollback.md"}}}
	same, root := moved, tree.Moved{ID: "pf-aa1", Title: "Deployment", Unchanged: true}
	same.Unchanged = true
	deep := moved
	deep.OldDepth, deep.NewDepth = 3, 2
	target := vault.Node{ID: "pf-aa2", Header: vault.Header{Title: "Troubleshooting"}, Parent: "pf-aa1"}
	for _, test := range []struct {
		name string
		draw func(Screen)
		want string
	}{
		{"add", func(s Screen) { WriteAdded(s, tree.Added{ID: "pf-aa1", Title: "Deployment"}) }, "Created memory pf-aa1\n"},
		{"add-sub", func(s Screen) {
			WriteAddedSub(s, tree.Added{ID: "pf-aa2", Title: "Troubleshooting", ParentID: "pf-aa1", ParentTitle: "Deployment", Summary: "If deploy succeeds"})
		}, "Created sub-memory pf-aa2 \"Troubleshooting\" under pf-aa1 \"Deployment\"\nSummary: If deploy succeeds\n"},
		{"queued", func(s Screen) { WriteQueued(s, "rebase", "a rebase is under way") }, "saved; will be committed when the rebase ends\n"},
		{"queued on no branch", func(s Screen) { WriteQueued(s, "detached HEAD", "") }, "saved; will be committed when a branch is checked out\n"},
		{"queued behind a lock", func(s Screen) { WriteQueued(s, "", "index.lock is held") }, "saved; will be committed when the repository is free (index.lock is held)\n"},
		{"delete: the question", func(s Screen) {
			DeletePreview(s, tree.DeletePreview{Target: target, ParentTitle: "Deployment", Children: 2}, false)
		},
			"Delete memory \"Troubleshooting\" (pf-aa2)?\n  Parent: \"Deployment\" (pf-aa1) — pointer will be removed\n  Children: 2 (use --recursive to delete them too)\n[y/N] "},
		{"delete: a root without children", func(s Screen) {
			DeletePreview(s, tree.DeletePreview{Target: vault.Node{ID: "pf-1", Header: vault.Header{Title: "A"}}}, true)
		}, "Delete memory \"A\" (pf-1)?\n[y/N] "},
		{"delete: a subtree", func(s Screen) {
			DeletePreview(s, tree.DeletePreview{Target: target, Children: 2, Descendants: 47}, true)
		}, "Delete Troubleshooting and 47 descendants? (y/n) "},
		{"deleted", func(s Screen) {
			WriteDeleted(s, tree.Deleted{IDs: []vault.ID{"pf-aa2"}, Title: "Troubleshooting", Parent: id("pf-aa1"), ParentTitle: "Deployment"})
		}, "Deleted memory \"Troubleshooting\" (pf-aa2)\nRemoved pointer from parent \"Deployment\" (pf-aa1)\n"},
		{"deleted a subtree with a picture in it", func(s Screen) {
			WriteDeleted(s, tree.Deleted{IDs: []vault.ID{"pf-aa2", "pf-aa3"}, Title: "T", Kept: []vault.Path{"t"}})
		}, "Deleted memory \"T\" (pf-aa2)\nDeleted 1 descendant\nKept the folder t/ for the other files in it\n"},
		{"moved", func(s Screen) { WriteMoved(s, moved) }, "Moved \"Troubleshooting\" (pf-aa2) from \"Deployment\" (pf-aa1) to \"Infrastructure\" (pf-xx1)\n"},
		{"moved to the root, breaking a link", func(s Screen) { WriteMoved(s, rooted) }, "Moved \"Troubleshooting\" (pf-aa2) from \"Deployment\" (pf-aa1) to root\n  link in a.md: b.md is c/b.md now\n  link in b.md now leads nowhere: ../rollback.md (it would be rollback.md)\n"},
		{"moved to where it was", func(s Screen) { WriteMoved(s, same) }, "\"Troubleshooting\" (pf-aa2) is already below \"Infrastructure\" (pf-xx1). Nothing to do.\n"},
		{"a root moved to the root", func(s Screen) { WriteMoved(s, root) }, "\"Deployment\" (pf-aa1) is already at the root. Nothing to do.\n"},
		{"promoted to root", func(s Screen) { WritePromoted(s, rooted) }, "Promoted \"Troubleshooting\" (pf-aa2) from depth 1 to root\n  link in a.md: b.md is c/b.md now\n  link in b.md now leads nowhere: ../rollback.md (it would be rollback.md)\n"},
		{"promoted", func(s Screen) { WritePromoted(s, deep) }, "Promoted \"Troubleshooting\" (pf-aa2) from depth 3 to depth 2\n"},
		{"updated", func(s Screen) { WriteAmended(s, "Updated", tree.Amended{ID: "pf-1", Title: "A"}) }, "Updated memory \"A\" (pf-1)\n"},
		{"updated to what it was", func(s Screen) { WriteAmended(s, "Updated", tree.Amended{ID: "pf-1", Title: "A", Unchanged: true}) }, "\"A\" (pf-1) is as it was. Nothing to do.\n"},
		{"a title with an escape sequence", func(s Screen) { WriteAdded(s, tree.Added{ID: "pf-\x1b[2J"}) }, "Created memory pf-\\x1b[2J\n"},
	} {
		expect(t, test.name, drawn(0, test.draw), test.want)
	}
}

func TestSync(t *testing.T) {
	found := sync.Synced{ParentsChecked: 3, Discrepancies: []sync.Discrepancy{
		{Parent: "pf-aa1", ParentTitle: "Deployment", Type: sync.MissingPointer, Child: "pf-aa7", ChildTitle: "Monitoring", Fixed: "added pointer for pf-aa7 (placeholder summary)"},
		{Parent: "pf-bb1", ParentTitle: "Entities", Type: sync.StalePointer, Child: "pf-deleted-99", Fixed: "removed stale pointer to pf-deleted-99"},
	}}
	expect(t, "the seed's dry run", drawn(0, func(s Screen) { Sync(s, found, true) }), `
Sync check: 3 parents, 2 discrepancies

  pf-aa1 "Deployment":
    MISSING: child pf-aa7 "Monitoring" not in pointer block
  pf-bb1 "Entities":
    STALE: pointer to pf-deleted-99 — shard no longer exists

Run `+"`cp memory sync`"+` to fix.
`)
	expect(t, "the seed's fix", drawn(0, func(s Screen) { Sync(s, found, false) }), `
Sync: 3 parents checked, 2 fixed

  pf-aa1 "Deployment": added pointer for pf-aa7 (placeholder summary)
  pf-bb1 "Entities": removed stale pointer to pf-deleted-99
`)
	expect(t, "nothing to do", drawn(0, func(s Screen) { Sync(s, sync.Synced{ParentsChecked: 3}, true) }), "All pointer blocks are in sync. No changes needed.\n")
	odd := sync.Synced{ParentsChecked: 1, Discrepancies: []sync.Discrepancy{
		{Type: sync.NewFile, Parent: "pf-p", Path: "notes/by hand.md", Child: "new-1", ChildTitle: "By hand", Fixed: "adopted it as pf-1"},
		{Type: sync.ConflictMarkers, Path: "a.md"},
		{Type: sync.DeletedFile, Path: "b.md", Child: "pf-b", ChildTitle: "B", Detail: "not deleted: too many are gone at once"},
		{Type: sync.OrphanedMemory, Path: "c.md", Child: "pf-c", ChildTitle: "C", Detail: "its parent's file is gone"},
		{Type: "a_new_kind", Path: "d.md"},
	}}
	expect(t, "what has no parent, and what is left to a person", drawn(0, func(s Screen) { Sync(s, odd, false) }), `
Sync: 1 parent checked, 1 fixed

  notes/by hand.md: adopted it as pf-1
  a.md: NOT FIXED: CONFLICT: git conflict markers
  b.md: NOT FIXED: DELETED: pf-b "B": not deleted: too many are gone at once
  c.md: NOT FIXED: ORPHAN: pf-c "C": its parent's file is gone
  d.md: NOT FIXED: A NEW KIND
`)
}

// A long list is cut, what a person has to look at comes first, and the rest is counted.
func TestALongListIsCut(t *testing.T) {
	var r sync.Synced
	for i := range 1223 {
		r.Discrepancies = append(r.Discrepancies, sync.Discrepancy{Type: sync.MissingPointer, Parent: "pf-p", Child: vault.ID(fmt.Sprint("pf-", i)), Fixed: "added a pointer"})
	}
	r.Discrepancies = append(r.Discrepancies, sync.Discrepancy{Type: sync.ConflictMarkers, Path: "a.md"})
	cut := func(draw func(Screen)) string {
		return drawn(0, func(s Screen) {
			s.Rows = 2
			draw(s)
		})
	}
	expect(t, "sync", cut(func(s Screen) { Sync(s, r, false) }), `
Sync: 0 parents checked, 1223 fixed

  a.md: NOT FIXED: CONFLICT: git conflict markers
  pf-p: added a pointer
  … and 1,222 more (`+"`--all`"+`)
`)
	expect(t, "warnings", cut(func(s Screen) { s.Warn("a", "b", "c") }), "Warning: a\nWarning: b\n… and 1 more (`--all`)\n")
	expect(t, "a table", cut(func(s Screen) { s.Table([]Column{{Title: "A"}}, [][]string{{"1"}, {"2"}, {"a wide one"}}) }), "A\n1\n2\n… and 1 more (`--all`)\n")
	expect(t, "as many as fit", cut(func(s Screen) { s.Warn("a", "b") }), "Warning: a\nWarning: b\n")
	found := []doctor.Finding{{Severity: "warning", Check: "files", Evidence: "1"}, {Severity: "warning", Check: "files", Evidence: "2"},
		{Severity: "warning", Check: "files", Evidence: "3"}, {Severity: "error", Check: "index", Evidence: "4"}}
	expect(t, "doctor cuts each check by itself", cut(func(s Screen) { Findings(s, found) }), `
warning  files               1
warning  files               2
                             … and 1 more (`+"`--all`"+`)
error    index               4
`)
}

func TestImported(t *testing.T) {
	r := transfer.Imported{Created: 2, Unchanged: 2, Skipped: 1, Differs: 1, Rows: []transfer.Row{
		{Source: "a.md", Path: "a.md", Action: "created"}, {Source: "con.md", Path: "under/con-1.md", Action: "created"}, {Source: "b.md", Action: "unchanged"}, {Source: "c.md", Action: "unchanged"},
		{Source: "d.md", Action: "skipped", Reason: "not UTF-8"}, {Source: "e.md", Action: "differs"},
	}}
	expect(t, "sums, and what needs a look", drawn(0, func(s Screen) { WriteImported(s, r) }), `
skipped  d.md: not UTF-8
differs  e.md: imported before and different now; --update replaces it
Imported 6 files: 2 created, 2 unchanged, 1 different, 1 skipped
`)
	r.DryRun = true
	expect(t, "a dry run names what would come", drawn(0, func(s Screen) { WriteImported(s, r) }), `
created  a.md
created  con.md → under/con-1.md
skipped  d.md: not UTF-8
differs  e.md: imported before and different now; --update replaces it
Would import 6 files: 2 created, 2 unchanged, 1 different, 1 skipped
`)
	expect(t, "an empty folder", drawn(0, func(s Screen) { WriteImported(s, transfer.Imported{}) }), "Imported 0 files: nothing to do\n")
}

// What goes into the journal has names of its own, in JSON and as text.
func TestImportAnswer(t *testing.T) {
	for _, row := range []struct {
		name       string
		in         transfer.Imported
		json, text string
	}{
		{"files", transfer.Imported{Created: 1, Rows: []transfer.Row{{Source: "a.md", Path: "a.md", ID: "pf-1", Action: "created"}}},
			`{"files":[{"source":"a.md","path":"a.md","id":"pf-1","action":"created"}],"created":1,"updated":0,"unchanged":0,"differs":0,"skipped":0,"dry_run":false}`,
			"Imported 1 file: 1 created\n"},
		{"no notes", transfer.Imported{Kind: transfer.GitNotes, Rows: []transfer.Row{}}, `{"notes":[],"imported":0,"unchanged":0,"skipped":0}`, "Imported 0 git notes\n"},
		{"notes", transfer.Imported{Kind: transfer.GitNotes, Created: 1, Unchanged: 2, Skipped: 1, DryRun: true, Rows: []transfer.Row{
			{Source: "notes:refs/notes/cs/x:0123456789:2", ID: "pf-1", Action: "created", Title: "T", Path: "j.md"}, {Source: "notes:refs/notes/cs/y:0123456789:1", Action: "skipped", Reason: "why", Hint: "mend it"}}},
			`{"notes":[{"ref":"refs/notes/cs/x","commit":"0123456789","n":2,"action":"imported","id":"pf-1","title":"T","path":"j.md"},` +
				`{"ref":"refs/notes/cs/y","commit":"0123456789","n":1,"action":"skipped","reason":"why","recovery":"mend it"}],"imported":1,"unchanged":2,"skipped":1,"dry_run":true}`,
			"skipped  refs/notes/cs/y 0123456789: why\n  → mend it\nWould import 1 git note, 2 here already, 1 skipped\n"},
		{"no observations", transfer.Imported{Kind: transfer.Observations, Rows: []transfer.Row{}}, `{"observations":[],"imported":0,"updated":0,"unchanged":0,"skipped":0}`, "Imported 0 observations\n"},
		{"observations", transfer.Imported{Kind: transfer.Observations, Created: 1, Skipped: 1, Rows: []transfer.Row{
			{Source: "o.json", Item: "obs-1", ID: "pf-1", Action: "created", Title: "T", Path: "j.md", Level: "pending", Count: 2}, {Source: "o.json", Item: "obs-2", Action: "skipped", Reason: "why", Hint: "mend it"}}},
			`{"observations":[{"source":"o.json","item":"obs-1","action":"imported","id":"pf-1","title":"T","path":"j.md","level":"pending","count":2},` +
				`{"source":"o.json","item":"obs-2","action":"skipped","reason":"why"}],"imported":1,"updated":0,"unchanged":0,"skipped":1}`,
			"imported pf-1 \"T\" (pending, seen 2 times)\nskipped  o.json obs-2: why\nImported 1 observation, 1 skipped\n"},
	} {
		got, err := json.Marshal(ImportAnswer(row.in))
		if err != nil || string(got) != row.json {
			t.Errorf("%s: %v\n%s\nwant\n%s", row.name, err, got, row.json)
		}
		if text := drawn(0, func(s Screen) { WriteImported(s, row.in) }); text != row.text {
			t.Errorf("%s: got\n%swant\n%s", row.name, text, row.text)
		}
	}
}

func TestErrors(t *testing.T) {
	err := &vault.Error{Code: vault.CodeDamaged, Msg: "two blocks\nhint: rm -rf ~", Hint: "cp memory sync", Path: "a\x1b.md", Line: 3}
	expect(t, "text from a file cannot pass for ours", drawn(0, func(s Screen) { Error(s, Text, err) }),
		"Error: a\\x1b.md:3: two blocks\n  hint: rm -rf ~\nhint: cp memory sync\n")
	expect(t, "JSON", drawn(0, func(s Screen) { Error(s, JSON, vault.Errorf(vault.CodeNotFound, "", "Shard pf-x not found.")) }), `
{
  "error": {
    "code": "not_found",
    "category": "validation",
    "message": "Shard pf-x not found."
  }
}
`)
}

func TestProgressLine(t *testing.T) {
	for want, got := range map[string]string{
		"importing … 2s": progressLine("importing", 0, 10, 2500*time.Millisecond),
		"importing " + strings.Repeat("█", 12) + strings.Repeat("░", 12) + " 5/10": progressLine("importing", 5, 10, 0),
		"importing: finishing … 1s": progressLine("importing", 10, 10, time.Second),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	var b strings.Builder
	StartProgress(&b, "importing", 10).Stop()
	if b.String() != "" {
		t.Errorf("short work left a trace: %q", b.String())
	}
}
