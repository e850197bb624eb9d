package vault

import (
	"context"
	"encoding/json"
)

// Deliver writes what waits in the outbox, the oldest first, and tells what it
// wrote. While the repository is busy it does nothing. A memory whose parent is
// gone by now becomes a root, with a warning: knowledge is never dropped.
func (v *Vault) Deliver(ctx context.Context) ([]Added, error) {
	waiting, err := v.Store.Waiting(ctx)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	if head, err := v.Store.Head(ctx); err != nil || head.Busy != "" {
		return nil, err
	}
	var out []Added
	for range waiting {
		added, err := v.deliver(ctx)
		switch CodeOf(err) {
		case CodeBusy, CodeQueued: // it goes on waiting
			return out, nil
		}
		if err != nil || added == nil {
			return out, err
		}
		out = append(out, *added)
	}
	return out, nil
}

// deliver makes the next write that waits; nil when another command was faster.
func (v *Vault) deliver(ctx context.Context) (*Added, error) {
	out, r, err := Do(ctx, v, delivery{}, Options{})
	if err != nil || out == nil {
		return nil, err
	}
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, nil
}

// delivery makes the write that has waited longest. Which one that is is asked
// under the lock, so that no two commands make the same.
type delivery struct{}

// Name is what the lock's holder does; the commit bears the name of the verb that waited.
func (delivery) Name() string { return "deliver" }

// Plan plans the write as it was queued; nil where none waits.
func (delivery) Plan(ctx context.Context, tx *Tx) (*Added, error) {
	q, err := tx.v.Store.Next(ctx)
	if err != nil || q == nil {
		return nil, err
	}
	tx.about.Queued, tx.about.Verb = q, q.Verb
	tx.AllowSecret() // it was looked at, and let pass, before it was queued
	out, err := q.plan(ctx, tx)
	return &out, err
}

// plan plans a write as it was queued.
func (q *Queued) plan(ctx context.Context, tx *Tx) (Added, error) {
	var root Add
	var sub AddSub
	var o Verb[Added] = &root
	switch q.Verb {
	case root.Name():
	case sub.Name():
		o = &sub
	default:
		return Added{}, Errorf(CodeDamaged, "run the newer cp that queued it", "a queued write has a verb that this cp does not know: %s", Clip(q.Verb, 40))
	}
	if err := json.Unmarshal(q.Options, o); err != nil {
		return Added{}, Errorf(CodeDamaged, "look at the outbox with `cp doctor`", "a queued write cannot be read: %w", err)
	}
	out, err := o.Plan(ctx, tx)
	switch CodeOf(err) {
	case CodeNotFound, CodeAmbiguous, CodeType, CodeInvalid, CodeDamaged:
		if q.Verb == sub.Name() {
			return sub.asRoot(ctx, tx, err)
		}
	}
	return out, err
}

// asRoot keeps a queued sub-memory as a root.
func (o AddSub) asRoot(ctx context.Context, tx *Tx, why error) (Added, error) {
	root := Add{Text: o.Body, Title: o.Title, Labels: o.Labels, Summary: o.Summary, ID: o.ID, Created: o.Created}
	tx.forget()
	tx.about.Verb = root.Name()
	out, err := root.Plan(ctx, tx)
	out.Warnings = append(out.Warnings, string(o.ID)+" became a root memory: "+why.Error())
	return out, err
}
