package journal

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// Verbs is the table of the room's verbs.
func Verbs() []tree.Verb {
	return []tree.Verb{
		{Name: "capture", Needs: []string{"kind", "title"}, Line: tree.Options(Capture{}),
			Takes: []string{"body", "parts", "spec", "phase", "labels", "commit", "relates_to", "session", "wants_place", "under", "summary"},
			Waits: func() vault.Verb[vault.Delivered] { return new(queued) }},
		{Name: "resolve", Needs: []string{"id"}, Takes: []string{"resolution", "learning"}, Line: tree.Options(Resolve{})},
	}
}

// queued is a Capture that waited.
type queued struct{ Capture }

// Plan plans the Capture as it was queued. Where its parent is gone by now it goes to the
// journal, with a warning: knowledge is never dropped. So does it with other memories that
// it relates to.
func (o *queued) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	out, err := o.Capture.Plan(ctx, tx)
	switch vault.CodeOf(err) {
	case vault.CodeNotFound, vault.CodeAmbiguous, vault.CodeType, vault.CodeInvalid, vault.CodeDamaged:
		why := string(o.ID) + " went to the journal: " + err.Error()
		o.Capture.Parent, o.Capture.Summary, o.Capture.Relates = "", "", nil
		tx.Restart(o.Name())
		out, err = o.Capture.Plan(ctx, tx)
		out.Warnings = append(out.Warnings, why)
	}
	return vault.Delivered{ID: out.ID, Title: out.Title, ParentID: out.ParentID, Path: out.Path, Warnings: out.Warnings}, err
}

// Row is the outcome in a batch.
func (c Captured) Row() tree.BatchRow {
	return tree.BatchRow{ID: c.ID, Title: c.Title, Path: c.Path, ParentID: c.ParentID, Warnings: c.Warnings, Drawn: true}
}

// Row is the outcome in a batch.
func (r Resolved) Row() tree.BatchRow { return r.Amended.Row() }
