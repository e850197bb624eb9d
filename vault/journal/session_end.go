package journal

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// SessionEnd keeps what was said last in a session: as a new entry, or as the text of the one
// that an earlier end of the session made. The Capture's ID has to be set; it is the session's.
type SessionEnd struct{ Capture }

// Do keeps it. While the repository is busy it goes to the outbox.
func (o SessionEnd) Do(ctx context.Context, v *vault.Vault) error {
	o.Project = cmp.Or(o.Project, v.Part)
	_, _, err := vault.Do(ctx, v, o, vault.Options{Queue: true})
	return err
}

// Name is the verb's.
func (o SessionEnd) Name() string { return "session-end" }

// Plan writes the entry, or the new text of the one that is there.
func (o SessionEnd) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	switch _, err := tx.Open(ctx, string(o.ID)); {
	case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeBusy: // busy: an earlier one waits
		return (&queued{o.Capture}).Plan(ctx, tx)
	case err != nil:
		return vault.Delivered{}, err
	}
	a, err := tree.Amend{Ref: string(o.ID), Title: &o.Title, Body: &o.Body}.Plan(ctx, tx)
	return vault.Delivered{ID: o.ID, Title: o.Title, Path: a.Path, Warned: a.Warned}, err
}
