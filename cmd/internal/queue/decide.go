package queue

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/past"
)

// Item returns an item as it is now. The error is CodeNotFound if it no longer waits.
func (r *Review) Item(ctx context.Context, item journal.Item) (journal.Item, error) {
	m, err := r.memberOfItem(item.Origin, item.Path)
	if err != nil {
		return item, err
	}
	now, err := NewOne(m.Session).Item(ctx, item)
	now.Origin = item.Origin
	return now, err
}

// memberOfItem returns the member that an item is from.
func (r *Review) memberOfItem(o family.Origin, p vault.Path) (ask.Member, error) {
	if r.Unnamed && len(r.f.Members) > 0 {
		return r.f.Members[0], nil
	}
	if m, ok := r.f.Holder(o, p); ok {
		return m, nil
	}
	return ask.Member{}, vault.Errorf(vault.CodeNotFound, "look at the queue again", "the project %s does not answer any more", o.Project)
}

// Decide makes a decision about an item, in its vault.
func (r *Review) Decide(ctx context.Context, item journal.Item, d Decision) (Outcome, error) {
	w, err := r.writer(ctx, item)
	if err != nil {
		return Outcome{}, err
	}
	out, err := w.Decide(ctx, item, d)
	if err == nil {
		out.Origin = item.Origin
		r.done = append(r.done, w)
	}
	return out, err
}

// writer returns the review of the vault that holds an item, opened for writing.
func (r *Review) writer(ctx context.Context, item journal.Item) (*One, error) {
	m, err := r.memberOfItem(item.Origin, item.Path)
	if err != nil {
		return nil, err
	}
	if w := r.writers[m.Root]; w != nil {
		return w, nil
	}
	own, err := r.current.Find.Load(m.Root, r.current.Settings)
	if err != nil {
		return nil, err
	}
	s, err := r.current.Find.App.Open(ctx, own)
	if err != nil {
		return nil, err
	}
	s.FinishPending(ctx)
	r.opened = append(r.opened, s)
	r.writers[m.Root] = NewOne(s)
	return r.writers[m.Root], nil
}

// Undo takes back the last decision that was made through the review.
func (r *Review) Undo(ctx context.Context) (past.UndoRow, error) {
	last := r.writers[r.current.Root]
	if n := len(r.done); n > 0 {
		last = r.done[n-1]
	}
	row, err := last.Undo(ctx)
	if err == nil {
		r.done = r.done[:max(len(r.done)-1, 0)]
	}
	return row, err
}

// Places returns the memories below which an item may go: those of the vault that holds it, since
// a decision writes there and nowhere else.
func (r *Review) Places(ctx context.Context, item journal.Item) ([]journal.NearMemory, error) {
	m, err := r.memberOfItem(item.Origin, item.Path)
	if err != nil {
		return nil, err
	}
	return NewOne(m.Session).Places(ctx)
}

// Core returns what each file of an agent says, and would say with the item in it.
func (r *Review) Core(ctx context.Context, item journal.Item) ([]CoreFile, error) {
	w, err := r.writer(ctx, item)
	if err != nil {
		return nil, err
	}
	return w.Core(ctx, item)
}

// Yes approves all observations and entries that meet the thresholds of long-term, and gives
// them their places, each by a commit of its own. It goes on after one that fails, and returns
// the first failure. A lone project is not named.
func (r *Review) Yes(ctx context.Context, limit int) (all []Outcome, err error) {
	defer func(was bool) { r.Unnamed = was }(r.Unnamed)
	r.Unnamed = r.Unnamed || r.f.Alone()
	q, err := r.Queue(ctx, Query{Bare: true})
	if err != nil {
		return nil, err
	}
	for _, item := range q.Items {
		if item.Why != journal.ReasonObservation && item.Why != journal.ReasonPlace || limit > 0 && len(all) == limit || ctx.Err() != nil {
			continue
		}
		item, failed := r.Item(ctx, item)
		out := Outcome{}
		if failed == nil {
			out, failed = r.Decide(ctx, item, Decision{Do: Approve}.WithSuggestions(item))
		}
		if failed != nil {
			if r.current.Find.App.Warn != nil {
				r.current.Find.App.Warn(string(item.ID) + ": " + failed.Error())
			}
			err = cmp.Or(err, failed)
			continue
		}
		all = append(all, out)
	}
	return all, cmp.Or(err, context.Cause(ctx))
}
