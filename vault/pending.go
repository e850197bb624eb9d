package vault

import "context"

// Tended is the outcome of Tend: the writes that were finished and delivered, and those
// that were not.
type Tended struct {
	Added []Delivered
	Notes []string
	Left  []Unfinished // what could not be finished
	Why   error        // why something was left
}

// Tend finishes what killed writers left and commits what waits in the outbox, as far as
// that can be done at once. A command calls it before its own work. It never waits.
func (v *Vault) Tend(ctx context.Context) (t Tended) {
	t.Notes, t.Why = v.Store.Recover(ctx)
	if t.Why == nil {
		hasty := *v
		hasty.Store = v.Store.Hasty()
		t.Added, t.Why = hasty.Deliver(ctx)
	}
	t.Left = v.Store.Unfinished(ctx)
	return t
}

// Pending returns the memories that unfinished writes touch. They are shown as they will
// be, and that may still be undone.
func (v *Vault) Pending(ctx context.Context, t Tree) (map[ID]bool, error) {
	var ids map[ID]bool
	for _, u := range v.Store.Unfinished(ctx) {
		for _, p := range u.Paths {
			n, ok, err := t.At(ctx, p)
			if err != nil {
				return nil, err
			}
			if ids == nil {
				ids = make(map[ID]bool)
			}
			ids[n.ID] = ids[n.ID] || ok
		}
	}
	return ids, nil
}
