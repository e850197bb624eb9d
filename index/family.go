package index

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// Parents calls fn for every memory with children or a block, in path order, or only for
// the one named. One that keeps no pointers is among them only while it has a block. It loads everything before it first calls fn, so fn may ask the tree.
func (d *DB) Parents(ctx context.Context, only vault.ID, fn func(vault.Family) error) error {
	families, err := ask(ctx, d, func(t *tx) ([]vault.Family, error) { return d.families(ctx, t, only) })
	if err != nil {
		return err
	}
	for _, f := range families {
		if err := fn(f); err != nil {
			return err
		}
	}
	return nil
}

// families loads the families in three queries, however many they are.
func (d *DB) families(ctx context.Context, t *tx, only vault.ID) ([]vault.Family, error) {
	whose, args := `m.held > 0`, []any{}
	if only != "" {
		whose, args = `m.held > 0 AND m.id = ?`, append(args, only)
	}
	parents, err := t.rows(`WHERE `+whose+` AND (m.has_block OR m.keeps <> 'none' AND
		EXISTS (SELECT 1 FROM memories c WHERE c.parent = m.n AND c.held > 0)) ORDER BY f.path`, args...)
	if err != nil {
		return nil, err
	}
	children, err := t.rows(`WHERE m.held > 0 AND m.parent IN (SELECT m.n FROM memories m WHERE `+whose+` AND (m.has_block OR m.keeps <> 'none'))`, args...)
	if err != nil {
		return nil, err
	}
	entries := make(map[int64][]pointer.Entry)
	if err := t.entries(whose, args, entries); err != nil {
		return nil, err
	}
	problems, err := t.problems()
	if err != nil {
		return nil, err
	}
	d.count(ctx, parents)
	d.count(ctx, children)
	return assemble(parents, byParent(children), entries, problems), nil
}

// entries loads what the blocks of some memories m say.
func (t *tx) entries(whose string, args []any, into map[int64][]pointer.Entry) error {
	return t.Each(`SELECT q.parent, q.id, q.title, q.summary FROM memories m JOIN pointers q ON q.parent = m.n
		WHERE `+whose+` ORDER BY q.parent, q.position`, args, func(r *sqlite.Row) error {
		parent := r.Int64()
		into[parent] = append(into[parent], pointer.Entry{ID: r.Text(), Title: r.Text(), Summary: r.Text()})
		return nil
	})
}

func assemble(parents []*row, children map[int64][]*row, entries map[int64][]pointer.Entry, problems []vault.Problem) []vault.Family {
	at := make(map[vault.Path][]vault.Problem)
	for _, p := range problems {
		at[p.Path] = append(at[p.Path], p)
	}
	families := make([]vault.Family, 0, len(parents))
	for _, p := range parents {
		f := vault.Family{Parent: p.Node, Entries: entries[p.n], Problems: at[p.Path]}
		f.Children = slices.Grow(f.Children, len(children[p.n])) // a node is large
		for _, c := range children[p.n] {
			f.Children = append(f.Children, c.Node)
		}
		families = append(families, f)
	}
	return families
}
