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
// Which one that is is asked under the lock, so that no two make the same.
func (v *Vault) deliver(ctx context.Context) (*Added, error) {
	var out *Added
	r, err := v.Update(ctx, "deliver", Scope{None: true}, func(ctx context.Context, t Tree) (*Change, error) {
		q, err := v.Store.Next(ctx)
		if err != nil || q == nil {
			return nil, err
		}
		out = new(Added)
		c, err := v.planQueued(ctx, t, *q, out)
		if err != nil {
			return nil, err
		}
		c.Queued, c.AllowSecret = q, true // it was looked at, and let pass, before it was queued
		return c, nil
	})
	if err != nil || out == nil {
		return nil, err
	}
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, nil
}

// planQueued plans a write as it was queued.
func (v *Vault) planQueued(ctx context.Context, t Tree, q Queued, out *Added) (*Change, error) {
	var root Add
	var sub AddSub
	var o interface{ check() error } = &root
	switch q.Verb {
	case "add":
	case "add-sub":
		o = &sub
	default:
		return nil, Errorf(CodeDamaged, "run the newer cp that queued it", "a queued write has a verb that this cp does not know: %s", clip(q.Verb, 40))
	}
	if err := json.Unmarshal(q.Options, o); err != nil {
		return nil, Errorf(CodeDamaged, "look at the outbox with `cp doctor`", "a queued write cannot be read: %w", err)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if q.Verb == "add" {
		return v.planQueuedRoot(ctx, t, root, out)
	}
	*out = Added{ID: sub.ID, Title: sub.Title, Summary: sub.Summary}
	c, err := v.planAddSub(ctx, t, sub, out)
	switch CodeOf(err) {
	case CodeNotFound, CodeAmbiguous, CodeType, CodeInvalid, CodeDamaged:
		return v.rescue(ctx, t, sub, out, err)
	}
	return c, err
}

func (v *Vault) planQueuedRoot(ctx context.Context, t Tree, o Add, out *Added) (*Change, error) {
	*out = Added{ID: o.ID, Title: o.Title, Summary: o.Summary}
	return v.planAdd(ctx, t, o, out)
}

// rescue keeps a queued sub-memory as a root.
func (v *Vault) rescue(ctx context.Context, t Tree, o AddSub, out *Added, why error) (*Change, error) {
	c, err := v.planQueuedRoot(ctx, t, Add{Text: o.Body, Title: o.Title, Labels: o.Labels, Summary: o.Summary, ID: o.ID, Created: o.Created}, out)
	out.Warnings = append(out.Warnings, string(o.ID)+" became a root memory: "+why.Error())
	return c, err
}
