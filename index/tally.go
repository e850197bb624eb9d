package index

import (
	"context"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// Tally counts what the vault holds, as the mirror stands.
func (d *DB) Tally(ctx context.Context) (journal.Tally, error) {
	return askSnapshot(ctx, d, func(t *tx) (journal.Tally, error) { return query.TallyOf(t.Tx) })
}

// Work returns the entries of a piece of work, or that tell of some commits, see [journal.Context.Entries].
func (d *DB) Work(ctx context.Context, o vault.ListOptions) ([]journal.Entry, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]journal.Entry, error) { return query.WorkEntries(t.Tx, o) })
}

// Anchors returns the commits that entries tell of, each once.
func (d *DB) Anchors(ctx context.Context) ([]header.Anchor, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]header.Anchor, error) { return query.AnchoredCommits(t.Tx) })
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
