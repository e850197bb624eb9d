package tree

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// queuedAdd is an Add that waited.
type queuedAdd struct{ Add }

// Plan plans the Add as it was queued.
func (o *queuedAdd) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	o.AllowDuplicate = true // its id was promised
	return newDelivered(o.Add.Plan(ctx, tx))
}

// queuedSub is an AddSub that waited.
type queuedSub struct{ AddSub }

// Plan plans the AddSub as it was queued. A memory whose parent is gone by now
// becomes a root, with a warning: knowledge is never dropped.
func (o *queuedSub) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	o.AllowDuplicate = true // as above
	out, err := o.AddSub.Plan(ctx, tx)
	switch vault.CodeOf(err) {
	case vault.CodeNotFound, vault.CodeAmbiguous, vault.CodeType, vault.CodeInvalid, vault.CodeDamaged:
		return newDelivered(o.asRoot(ctx, tx, err))
	}
	return newDelivered(out, err)
}

// asRoot keeps a queued sub-memory as a root.
func (o AddSub) asRoot(ctx context.Context, tx *vault.Tx, why error) (Added, error) {
	root := Add{Text: o.Body, Title: o.Title, Labels: o.Labels, Summary: o.Summary, Relates: o.Relates, Record: o.Record, New: o.New, AllowDuplicate: true, ID: o.ID, Created: o.Created}
	tx.Restart(root.Name())
	out, err := root.Plan(ctx, tx)
	out.Warnings = append(out.Warnings, string(o.ID)+" became a root memory: "+why.Error())
	return out, err
}

// newDelivered returns the outbox's report about a memory.
func newDelivered(a Added, err error) (vault.Delivered, error) {
	return vault.Delivered{ID: a.ID, Title: a.Title, ParentID: a.ParentID, Summary: a.Summary, Path: a.Path, Warned: a.Warned}, err
}
