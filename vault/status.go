package vault

import "context"

// Status is the vault at a glance.
type Status struct {
	Counts  Counts
	Head    Head
	Waiting int // writes in the outbox, and those of Left
	Left    []Unfinished
	Report  Report // of the catch-up that the answer rests on
}

// Status brings the mirror up to date and counts.
func (v *Vault) Status(ctx context.Context) (Status, error) {
	var s Status
	var err error
	if s.Report, err = v.catchUp(ctx, Scope{}); err != nil {
		return s, err
	}
	if s.Counts, err = v.Mirror.Counts(ctx); err != nil {
		return s, err
	}
	if s.Head, err = v.Store.Head(ctx); err != nil {
		return s, err
	}
	waiting, err := v.Store.Waiting(ctx)
	ops := make(map[string]bool)
	for _, q := range waiting {
		ops[q.Op] = true
	}
	s.Left = v.Store.Unfinished(ctx)
	for _, u := range s.Left {
		ops[u.Op] = true
	}
	s.Waiting = len(ops)
	return s, err
}
