package index

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// familiesAtOnce bounds how many families are in memory at a time.
const familiesAtOnce = 100

// Parents calls fn for every memory with children or a block, in path order, or only for
// the one named. One that keeps no pointers is among them only while it has a block.
func (d *DB) Parents(ctx context.Context, only vault.ID, fn func(vault.Family) error) error {
	return d.view(ctx, func(t *tx) error {
		whose, args := `m.held > 0`, []any{}
		if only != "" {
			whose, args = `m.held > 0 AND m.id = ?`, append(args, only)
		}
		numbers, err := sqlite.All(t.Tx, `SELECT m.n FROM memories m JOIN files f ON f.n = m.n WHERE `+whose+` AND (m.has_block OR m.keeps <> 'none' AND
			EXISTS (SELECT 1 FROM memories c WHERE c.parent = m.n AND c.held > 0)) ORDER BY f.path`, args, (*sqlite.Row).Int64)
		problems, err2 := t.problems()
		if err := cmp.Or(err, err2); err != nil {
			return err
		}
		at := make(map[vault.Path][]vault.Problem)
		for _, p := range problems {
			at[p.Path] = append(at[p.Path], p)
		}
		for some := range slices.Chunk(numbers, familiesAtOnce) {
			if err := t.families(some, at, fn); err != nil {
				return err
			}
		}
		return nil
	})
}

// families calls fn for the families of parents, which it loads in three queries.
func (t *tx) families(numbers []int64, problems map[vault.Path][]vault.Problem, fn func(vault.Family) error) error {
	parents, err := t.rowsIn(numbers)
	children, err2 := t.rows(`WHERE m.held > 0 AND m.parent IN (SELECT value FROM json_each(?))`, sqlite.List(numbers))
	entries, err3 := t.blockEntries(numbers)
	if err := cmp.Or(err, err2, err3); err != nil {
		return err
	}
	of := byParent(children)
	for _, p := range parents {
		f := vault.Family{Parent: p.Node, Entries: entries[p.n], Problems: problems[p.Path]}
		f.Children, _ = nodesOf(of[p.n], nil)
		if err := fn(f); err != nil {
			return err
		}
	}
	return nil
}

// blockEntries returns what the blocks of some memories say.
func (t *tx) blockEntries(numbers []int64) (map[int64][]pointer.Entry, error) {
	of := make(map[int64][]pointer.Entry)
	return of, t.Each(`SELECT q.parent, q.id, q.title, q.summary FROM pointers q
		WHERE q.parent IN (SELECT value FROM json_each(?)) ORDER BY q.parent, q.position`, []any{sqlite.List(numbers)}, func(r *sqlite.Row) error {
		parent := r.Int64()
		of[parent] = append(of[parent], pointer.Entry{ID: r.Text(), Title: r.Text(), Summary: r.Text()})
		return nil
	})
}
