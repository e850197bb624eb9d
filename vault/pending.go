package vault

import (
	"cmp"
	"context"
	"maps"
)

// Tended is the outcome of Tend: the writes that were finished and delivered, and those
// that were not.
type Tended struct {
	Added []Delivered
	Notes []string
	Left  []Unfinished // what could not be finished
	Waits bool         // something was in the outbox, and may be there still
	Why   error        // why something was left
}

// FinishPending finishes what killed writers left and commits what waits in the outbox, as far as
// that can be done at once. A command calls it before its own work. It never waits.
func (v *Vault) FinishPending(ctx context.Context) (t Tended) {
	t.Notes, t.Why = v.Store.Recover(ctx)
	waiting, err := v.Store.Waiting(ctx)
	if t.Waits = len(waiting) > 0; t.Waits && t.Why == nil {
		hasty := *v
		hasty.Store = v.Store.Hasty()
		t.Added, err = hasty.Deliver(ctx)
	}
	t.Why = cmp.Or(t.Why, err)
	t.Left = v.Store.ListUnfinished(ctx)
	return t
}

// Marks returns the memories that unfinished writes touch, and those that wait in the
// outbox where [Vault.ShowOutbox] shows them. They are shown as they will be, and that may still
// be undone. Of the ids it also tells how their code stands.
func (v *Vault) Marks(ctx context.Context, t Tree, ids ...ID) (map[ID]Mark, error) {
	marks := make(map[ID]Mark)
	maps.Copy(marks, v.waiting)
	for _, u := range v.Store.ListUnfinished(ctx) {
		for _, p := range u.Paths {
			n, ok, err := t.At(ctx, p)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			m := marks[n.ID]
			m.Pending = true
			marks[n.ID] = m
		}
	}
	if v.CodeStates == nil || len(ids) == 0 {
		return marks, nil
	}
	for id, state := range v.CodeStates(ctx, ids, nil) {
		m := marks[id]
		m.Code = state
		marks[id] = m
	}
	return marks, nil
}
