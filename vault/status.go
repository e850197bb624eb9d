package vault

import "context"

// Status is the vault at a glance.
type Status struct {
	Counts  Counts
	Head    Head
	Waiting int    // writes in the outbox
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
	s.Waiting = len(waiting)
	return s, err
}
