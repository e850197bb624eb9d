package transfer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault/transfer"
)

// entry is the commit of the nth note of its ref and commit: head, with the text "Text.".
func entry(id, n string) string {
	return `
	new journal/2025/12/decision-use-it.md
	+---
	+id: ` + id + `
	+title: Use it
	+type: decision
	+status: open
	+created: 2025-12-14T10:30:00Z
	+source: notes:refs/notes/cs/decisions:` + sha + ":" + n + `
	+spec: s
	+commit: "` + sha + `"
	+---
	+Text.`
}

// journaled is how the commit begins whose entry is the first.
const journaled = `
	new journal.md
	+---
	+id: pf-journal
	+title: Journal
	+type: memory
	+status: open
	+summary: When you want to know what was decided, tried or found out, and when
	+journal: true
	+pointers: none
	+---`

func TestPlanGitNotes(t *testing.T) {
	first := entry("pf-7g0jz68p", "1")
	kept := vaultmap.Family().With(vaultmap.Files{"journal.md": vaultmap.Journal})
	all := func(text string) transfer.Import { return transfer.Import{Bundle: noted(text)} }
	vaultmap.Run(t, []vaultmap.Row[transfer.Imported]{
		{Name: "no notes", Start: kept, Verb: all(""), Says: `"files":[],"created":0`},
		{Name: "one", Start: kept, Verb: all(head + "\nText.\n"), Says: `"created":1,"updated":0,"unchanged":0,"differs":0,"skipped":0`, Want: first},
		{Name: "the first entry brings the journal", Verb: all(head + "\nText.\n"), Says: `"created":1`, Want: journaled + first},
		{Name: "one that cannot be read does not stop the others", Start: kept, Verb: all("---\ntype: decision\n---\nA\n" + head + "\nText.\n"), Says: `"created":1,"updated":0,"unchanged":0,"differs":0,"skipped":1`, Want: entry("pf-wzps0n54", "2")},
		{Name: "one that is there", Start: kept, Do: twice(all(head + "\nText.\n")), Says: `"created":0,"updated":0,"unchanged":1`, Want: first},
		{Name: "a dry run", Start: kept, Do: func(ctx context.Context, w *vaultmap.World) (transfer.Imported, error) {
			o := all(head + "\nText.\n")
			o.DryRun = true
			return o.Do(ctx, w.Vault)
		}, Says: `"created":1`},
		{Name: "a text that the journal refuses", Start: kept, Verb: all(head + "\n" + strings.Repeat("x", 1<<20)), Says: `"skipped":1`},
	})
}

// twice imports twice, and tells of the second time.
func twice(o transfer.Import) func(context.Context, *vaultmap.World) (transfer.Imported, error) {
	return func(ctx context.Context, w *vaultmap.World) (out transfer.Imported, err error) {
		if out, err = o.Do(ctx, w.Vault); err != nil {
			return out, err
		}
		return o.Do(ctx, w.Vault)
	}
}
