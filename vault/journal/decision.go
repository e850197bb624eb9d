package journal

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Decision is what a person decided about an item, as one write. It is refused where the
// item is no longer as the person saw it.
type Decision struct {
	Verb  string
	ID    vault.ID
	Hash  string         // of the file that the person saw; empty does not check
	Parts []DecisionPart // planned one after the other, for one commit
}

// DecisionPart plans a part of a decision.
type DecisionPart func(ctx context.Context, tx *vault.Tx) error

// PartOf returns the plan of a verb as a part.
func PartOf[R any](verb vault.Verb[R]) DecisionPart {
	return func(ctx context.Context, tx *vault.Tx) error {
		_, err := verb.Plan(ctx, tx)
		return err
	}
}

// QueueDecided is a memory about which somebody has decided.
type QueueDecided struct {
	ID    vault.ID   `json:"id"`
	Title string     `json:"title"`
	Path  vault.Path `json:"path"`
}

// Name is the verb's.
func (o Decision) Name() string { return o.Verb }

// Plan checks the item and plans the parts. The error is CodeConflict if the item was
// changed meanwhile, and CodeNotFound if it is gone.
func (o Decision) Plan(ctx context.Context, tx *vault.Tx) (out QueueDecided, err error) {
	d, err := tx.OpenMemory(ctx, string(o.ID))
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		return out, vault.Errorf(vault.CodeNotFound, "look at the queue again", "%s is gone: it was taken away meanwhile", o.ID)
	case err != nil:
		return out, err
	case d.Matches(o.Hash) != nil:
		return out, vault.Errorf(vault.CodeConflict, "look at it again and decide then", "%s was changed meanwhile", o.ID)
	}
	for _, part := range o.Parts {
		if err := part(ctx, tx); err != nil {
			return out, err
		}
	}
	tx.About(d.ID, d.Mem.Title)
	return QueueDecided{ID: d.ID, Title: d.Mem.Title, Path: d.Path}, nil
}
