package index

import (
	"context"

	"github.com/cp-memory/cp/index/filter"
	"github.com/cp-memory/cp/index/inventory"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/verify"
)

// Tally counts what the vault holds, as the mirror stands. Each count is answered by an
// index.
func (d *DB) Tally(ctx context.Context) (journal.Tally, error) {
	return ask(ctx, d, func(t *tx) (out journal.Tally, err error) {
		denied := 0
		err = t.One(`SELECT (SELECT count(*) FROM memories WHERE held > 0), (SELECT count(*) FROM memories m WHERE m.denied_at IS NOT NULL AND `+filter.Denied+`),
			(SELECT count(*) FROM memories WHERE type = 'blocker' AND status <> 'closed'),
			(SELECT count(*) FROM memories m WHERE `+pending+` AND NOT `+filter.Denied+` AND m.status <> 'closed')`, nil,
			&out.Memories, &denied, &out.Unresolved, &out.Waiting)
		if err != nil {
			return out, err
		}
		out.Memories -= denied
		out.Entries, err = inventory.Kinds(t.Tx)
		return out, err
	})
}

// Totals counts by kind, by piece of work and by level, as the mirror stands.
func (d *DB) Totals(ctx context.Context) (journal.Totals, error) {
	return ask(ctx, d, func(t *tx) (journal.Totals, error) { return inventory.Totals(t.Tx) })
}

// Rows implements [verify.Mirror].
func (d *DB) Rows(ctx context.Context, fn func(verify.Row)) error {
	return d.view(ctx, func(t *tx) error { return inventory.Rows(t.Tx, fn) })
}
