package index

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/journal"
)

// The least value of the column held of what is asked for.
const (
	inTree    = 2 // what the tree shows
	anyMemory = 1 // entries that have no place there, too: who names a place wants what lies there
)

// dropBelowQuiet leaves out what lies below a memory that keeps no pointers, except for the one
// that was asked for. Such a memory is one line with its counts.
func (t *tx) dropBelowQuiet(rows []*row, asked vault.ID) ([]*row, error) {
	shut := make(map[int64]bool)
	for _, r := range rows {
		if r.Quiet() && r.ID != asked {
			shut[r.n] = true
		}
	}
	if len(shut) == 0 {
		return rows, nil
	}
	parents := make(map[int64]int64, len(rows))
	for _, r := range rows {
		parents[r.n] = r.parent
	}
	rows = slices.DeleteFunc(rows, func(r *row) bool {
		for up := r.parent; up != 0; up = parents[up] {
			if shut[up] {
				return true
			}
		}
		return false
	})
	return rows, t.countQuiet(rows, asked)
}

// pending selects the entries that wait for a person's decision. It has an index of its own,
// which only these words make SQLite use.
const pending = `(m.type = 'observation' OR m.wants_place = 'true') AND m.long_term_at IS NULL`

// countQuiet fills in the counts of the memories that keep no pointers, except for the one
// that was asked for.
func (t *tx) countQuiet(rows []*row, asked vault.ID) error {
	for _, r := range rows {
		if !r.Quiet() || r.ID == asked {
			continue
		}
		r.counted = true
		err := t.One(`SELECT (SELECT count(*) FROM memories WHERE parent = ?1 AND held > 0 AND status <> 'closed'),
			(SELECT count(*) FROM memories m WHERE `+pending+` AND m.parent = ?1 AND NOT `+query.IsDenied+` AND m.status <> 'closed')`, []any{r.n}, &r.Children, &r.Waiting)
		if err != nil {
			return err
		}
	}
	return nil
}

// Parts returns the parts of the vault that are projects, by path, as the mirror has them; it
// does not catch up.
func (d *DB) Parts(ctx context.Context) ([]family.Part, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]family.Part, error) {
		return sqlite.All(t.Tx, `SELECT m.project, m.code, f.path FROM memories m INDEXED BY memories_projects CROSS JOIN files f ON f.n = m.n WHERE m.project <> '' ORDER BY f.path`, nil,
			func(r *sqlite.Row) family.Part { return family.Part{Name: r.Text(), Code: r.Text(), File: r.Text()} })
	})
}

// Waiting returns the memories that may wait for a person, see [journal.QueueMirror].
func (d *DB) Waiting(ctx context.Context, r journal.QueueRules, below int) (journal.Candidates, error) {
	return askSnapshot(ctx, d, func(t *tx) (journal.Candidates, error) { return query.ReviewCandidates(t.Tx, r, below) })
}
