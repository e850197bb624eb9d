package index

import (
	"context"

	"github.com/cp-memory/cp/index/inventory"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/verify"
)

// Tally counts what the vault holds, as the mirror stands.
func (d *DB) Tally(ctx context.Context) (journal.Tally, error) {
	return ask(ctx, d, func(t *tx) (journal.Tally, error) { return inventory.TallyOf(t.Tx) })
}

// Work returns the entries of a piece of work, see [journal.Context.Read].
func (d *DB) Work(ctx context.Context, spec string) ([]journal.Entry, error) {
	return ask(ctx, d, func(t *tx) ([]journal.Entry, error) { return inventory.WorkEntries(t.Tx, spec) })
}

// Core returns the memories that are decided to be in agents' files.
func (d *DB) Core(ctx context.Context) ([]vault.ID, error) {
	return ask(ctx, d, func(t *tx) ([]vault.ID, error) { return inventory.CoreMemories(t.Tx) })
}

// Totals counts by kind, by piece of work and by level, as the mirror stands.
func (d *DB) Totals(ctx context.Context) (journal.Totals, error) {
	return ask(ctx, d, func(t *tx) (journal.Totals, error) { return inventory.TotalsOf(t.Tx) })
}

// Rows implements [verify.Mirror].
func (d *DB) Rows(ctx context.Context, fn func(verify.IndexRow)) error {
	return d.view(ctx, func(t *tx) error { return inventory.EachIndexRow(t.Tx, fn) })
}
