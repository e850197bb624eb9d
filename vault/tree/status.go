package tree

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Status is the vault at a glance.
type Status struct {
	Counts  vault.Counts
	Head    vault.Head
	Waiting int // writes in the outbox, and those of Left
	Left    []vault.Unfinished
	Damaged error        // of a write in the outbox that cannot be read, and is not counted
	Report  vault.Report // of the catch-up that the answer rests on
}

// ReadStatus brings the mirror up to date and counts.
func ReadStatus(ctx context.Context, v *vault.Vault) (Status, error) {
	var s Status
	var err error
	if s.Report, err = v.CatchUp(ctx, vault.Scope{}); err != nil {
		return s, err
	}
	if s.Counts, err = v.Mirror.Counts(ctx); err != nil {
		return s, err
	}
	if s.Head, err = v.Store.Head(ctx); err != nil {
		return s, err
	}
	waiting, damaged := v.Store.Waiting(ctx)
	s.Damaged = damaged
	ops := make(map[string]bool)
	for _, q := range waiting {
		ops[q.Op] = true
	}
	s.Left = v.Store.ListUnfinished(ctx)
	for _, u := range s.Left {
		ops[u.Op] = true
	}
	s.Waiting = len(ops)
	return s, nil
}
