package vault

import (
	"context"
	"encoding/json"
)

// Deliver writes what waits in the outbox, the oldest first, and tells what it
// wrote. While the repository is still busy it does nothing. A memory whose
// parent is gone by now becomes a root, with a warning: knowledge is never dropped.
func (v *Vault) Deliver(ctx context.Context) ([]Added, error) {
	waiting, err := v.Store.Waiting(ctx)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	if head, err := v.Store.Head(ctx); err != nil || head.Busy != "" {
		return nil, err
	}
	var out []Added
	for _, q := range waiting {
		added, err := v.deliver(ctx, q)
		if err != nil {
			return out, err
		}
		if added.Queued {
			return out, nil
		}
		if err := v.Store.Deliver(ctx, q); err != nil {
			return out, err
		}
		out = append(out, added)
	}
	return out, nil
}

// deliver does the queued write, unless it was done and only its record is left.
func (v *Vault) deliver(ctx context.Context, q Queued) (Added, error) {
	if p, err := v.pin(ctx, v.Mirror, q.Op); err == nil {
		return Added{ID: p.ID, Title: p.Title, ParentID: p.Parent, Path: p.Path}, nil
	}
	if q.Verb == "add" {
		var o Add
		if err := json.Unmarshal(q.Options, &o); err != nil {
			return Added{}, Errorf(CodeDamaged, "look at the outbox with `cp doctor`", "a queued write cannot be read: %w", err)
		}
		o.AllowSecret = true // it was looked at, and let pass, before it was queued
		return v.Add(ctx, o)
	}
	var o AddSub
	if err := json.Unmarshal(q.Options, &o); err != nil {
		return Added{}, Errorf(CodeDamaged, "look at the outbox with `cp doctor`", "a queued write cannot be read: %w", err)
	}
	o.AllowSecret = true
	added, err := v.AddSub(ctx, o)
	switch CodeOf(err) {
	case CodeNotFound, CodeType, CodeInvalid, CodeDamaged:
		return v.rescue(ctx, o, err)
	}
	return added, err
}

// rescue keeps a queued sub-memory as a root.
func (v *Vault) rescue(ctx context.Context, o AddSub, why error) (Added, error) {
	added, err := v.Add(ctx, Add{Text: o.Body, Title: o.Title, Labels: o.Labels, Summary: o.Summary, ID: o.ID, Created: o.Created, AllowSecret: true})
	added.Warnings = append(added.Warnings, string(o.ID)+" became a root memory: "+why.Error())
	return added, err
}
