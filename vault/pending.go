package vault

import "context"

// Tended is what a command does before its own affair: what killed writers left is
// finished, and what waits in the outbox is committed.
type Tended struct {
	Added []Delivered
	Notes []string
	Left  []Unfinished // what could not be finished
	Why   error        // why something was left
}

// Tend does it as far as it can be done at once, and waits for nobody.
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

// Pending returns the memories that unfinished writes touch: they are told as they
// will be, and that may still be undone.
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
