package index

import (
	"context"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/journal"
)

// Tally counts what the vault holds, as the mirror stands.
func (d *DB) Tally(ctx context.Context) (journal.Tally, error) {
	return askSnapshot(ctx, d, func(t *tx) (journal.Tally, error) { return query.TallyOf(t.Tx) })
}

// Work returns the entries of a piece of work, see [journal.Context.Read].
func (d *DB) Work(ctx context.Context, spec string) ([]journal.Entry, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]journal.Entry, error) { return query.WorkEntries(t.Tx, spec) })
}

// Core returns the memories that are decided to be in agents' files.
func (d *DB) Core(ctx context.Context) ([]vault.ID, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]vault.ID, error) { return query.CoreMemories(t.Tx) })
}

// Totals counts by kind, by piece of work and by level, as the mirror stands.
func (d *DB) Totals(ctx context.Context) (journal.Totals, error) {
	return askSnapshot(ctx, d, func(t *tx) (journal.Totals, error) { return query.TotalsOf(t.Tx) })
}

// Rows implements [doctor.IndexRows].
func (d *DB) Rows(ctx context.Context, fn func(doctor.IndexRow)) error {
	return d.view(ctx, func(t *tx) error { return query.EachIndexRow(t.Tx, fn) })
}
