package index

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// Walk returns the subtree in display order, depth first. A closed memory is
// left out, unless it has open descendants within the walk: then it stays as
// the stub they hang on.
func (d *DB) Walk(ctx context.Context, o vault.WalkOptions) ([]vault.Node, error) {
	if o.MaxDepth <= 0 || o.MaxDepth > vault.TreeCap {
		o.MaxDepth = vault.TreeCap
	}
	if o.Each != nil {
		return nil, d.view(ctx, func(t *tx) error { return t.each(o) })
	}
	rows, err := askSnapshot(ctx, d, func(t *tx) ([]*row, error) {
		if o.Outline {
			return t.outline(o)
		}
		return t.subtree(o)
	})
	if err != nil {
		return nil, err
	}
	if !o.Uncounted {
		d.fillTelemetry(ctx, rows)
	}
	w := walker{children: byParent(rows), closed: o.Closed, out: make([]*row, 0, len(rows))}
	top := int64(0)
	if o.Root != "" {
		root := rows[slices.IndexFunc(rows, func(r *row) bool { return r.ID == o.Root })]
		top, w.out = root.n, append(w.out, root)
	}
	w.walk(top)
	nodes := make([]vault.Node, len(w.out))
	for i, r := range w.out {
		nodes[i] = r.Node
	}
	return nodes, nil
}

// each calls o.Each for the memories, a thousand in memory at a time.
func (t *tx) each(o vault.WalkOptions) error {
	for last := ""; ; {
		rows, err := t.rows(`WHERE f.path > ? AND +m.held = 2 AND +m.depth <= ? ORDER BY f.path LIMIT 1000`, last, o.MaxDepth)
		for _, r := range rows {
			o.Each(r.Node)
			last = string(r.Path)
		}
		if err != nil || len(rows) == 0 {
			return err
		}
	}
}

// Branch returns a page of the open children of a memory, or of the roots.
func (d *DB) Branch(ctx context.Context, o tree.PageOptions) (p tree.ChildrenPage, err error) {
	rows, err := askSnapshot(ctx, d, func(t *tx) (rows []*row, err error) {
		var above row
		numbers, page, err := query.ReadChildren(t.Tx, o, &above.n, &above.ID, &above.Path)
		if p = page; err != nil {
			return nil, err
		}
		rows, err = t.gather((*row).readOutline, strings.Replace(outlineColumns, "PATH", wherePath, 1)+`(SELECT value FROM json_each(?))`, 0, anyMemory, sqlite.List(numbers))
		if err != nil {
			return nil, err
		}
		rows, err = t.dropBelowQuiet(rows, above.ID)
		knit(rows, 0, above)
		return inOrder(rows, numbers), err
	})
	for _, r := range rows {
		p.Nodes = append(p.Nodes, r.Node)
	}
	return p, err
}

// Titles calls fn for each open memory of a scope, by path.
func (d *DB) Titles(ctx context.Context, o tree.TitleScope, fn func(tree.Titled)) error {
	_, err := askSnapshot(ctx, d, func(t *tx) (none struct{}, _ error) { return none, query.ReadTitles(t.Tx, o, fn) })
	return err
}

// subtree returns what a walk can meet.
func (t *tx) subtree(o vault.WalkOptions) (rows []*row, err error) {
	if o.Root == "" {
		return t.rows(`WHERE +m.held = 2 AND m.n IN (`+upper+`)`, o.MaxDepth)
	}
	rows, err = t.rows(`WHERE +m.held > 0 AND m.n IN (`+query.Subtree+`)`, o.Root, o.MaxDepth)
	if err == nil && len(rows) == 0 {
		err = vault.NotFound(string(o.Root))
	}
	return rows, err
}

// upper selects the files of any type down to a depth. Where the type is asked
// for, a unary + leaves SQLite no other way to the rows than by their numbers.
const upper = `SELECT n FROM memories WHERE depth <= ?`

// byParent groups rows by parent, 0 for roots, each group in display order.
func byParent(rows []*row) map[int64][]*row {
	groups := make(map[int64][]*row)
	for _, r := range rows {
		groups[r.parent] = append(groups[r.parent], r)
	}
	for _, g := range groups {
		slices.SortFunc(g, display)
	}
	return groups
}

// display is displayOrder.
func display(a, b *row) int {
	return cmp.Or(
		cmp.Compare(uint(a.position), uint(b.position)), // -1 is the largest
		compareBool(a.Created.IsZero(), b.Created.IsZero()),
		a.Created.Compare(b.Created),
		strings.Compare(string(a.Path), string(b.Path)),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// walker collects a walk.
type walker struct {
	children map[int64][]*row
	closed   bool
	out      []*row
}

// walk appends what lies below n. A closed memory below which nothing was
// appended is taken back.
func (w *walker) walk(n int64) {
	for _, r := range w.children[n] {
		at := len(w.out)
		w.out = append(w.out, r)
		w.walk(r.n)
		if r.Status == vault.StatusClosed && !w.closed && len(w.out) == at+1 {
			w.out = w.out[:at]
		}
	}
}
