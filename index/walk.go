package index

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/filter"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// Walk returns the subtree in display order, depth first. A closed memory is
// left out, unless it has open descendants within the walk: then it stays as
// the stub they hang on.
func (d *DB) Walk(ctx context.Context, o vault.WalkOptions) ([]vault.Node, error) {
	if o.MaxDepth <= 0 || o.MaxDepth > vault.TreeCap {
		o.MaxDepth = vault.TreeCap
	}
	rows, err := ask(ctx, d, func(t *tx) ([]*row, error) {
		if o.Outline {
			return t.outline(o)
		}
		return t.subtree(o)
	})
	if err != nil {
		return nil, err
	}
	if !o.Uncounted {
		d.count(ctx, rows)
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

// Branch returns a page of the open children of a memory, or of the roots. The mirror's order
// is found for all of them, and what is shown is read for the page.
func (d *DB) Branch(ctx context.Context, o vault.BranchOptions) (b vault.Branch, err error) {
	rows, err := ask(ctx, d, func(t *tx) (rows []*row, err error) {
		var above row
		from, args := `m.parent IS NULL AND m.held = 2`, []any{}
		if o.Of != "" {
			found, err := t.Maybe(`SELECT m.n, m.id, f.path FROM memories m JOIN files f ON f.n = m.n WHERE m.id = ? AND m.held > 0`, []any{o.Of}, &above.n, &above.ID, &above.Path)
			if err == nil && !found {
				err = vault.NotFound(string(o.Of))
			}
			if err != nil {
				return nil, err
			}
			from, args = `m.parent = ? AND m.held > 0`, []any{above.n}
			if err := t.One(`SELECT count(*) FROM memories m WHERE `+from, args, &b.All); err != nil {
				return nil, err
			}
		}
		all, err := sqlite.All(t.Tx, siblings+`WHERE `+from+` AND m.status <> 'closed'`+displayOrder, args, (*sqlite.Row).Int64)
		if err != nil {
			return nil, err
		}
		b.Total, b.From = len(all), max(min(o.From, len(all)), 0)
		if b.All = max(b.All, b.Total); o.With != "" {
			var with int64
			if found, err := t.Maybe(`SELECT n FROM memories WHERE id = ?`, []any{o.With}, &with); err != nil {
				return nil, err
			} else if at := slices.Index(all, with); found && at >= 0 {
				b.From = at / max(o.Most, 1) * o.Most
			}
		}
		return t.page(all[b.From:min(b.From+o.Most, len(all))], above)
	})
	for _, r := range rows {
		b.Nodes = append(b.Nodes, r.Node)
	}
	return b, err
}

// Titles calls fn for each open memory, by path. It holds one row at a time.
func (d *DB) Titles(ctx context.Context, fn func(vault.Titled)) error {
	_, err := ask(ctx, d, func(t *tx) (none struct{}, _ error) {
		return none, t.Each(titles, nil, func(r *sqlite.Row) error {
			fn(vault.Titled{ID: vault.ID(r.Text()), Title: r.Text(), Phrase: vault.Phrase(r.Text()), Path: vault.Path(r.Text())})
			return nil
		})
	})
	return err
}

const titles = `SELECT coalesce(m.id, ''), m.title,
	iif(m.summary <> '', m.summary, coalesce((SELECT summary FROM pointers o WHERE o.parent = m.parent AND o.id = m.id ORDER BY position LIMIT 1), '')), f.path
FROM files f CROSS JOIN memories m ON m.n = f.n WHERE m.held = 2 AND m.status <> 'closed' ORDER BY f.path`

// siblings selects the numbers of memories with what orders them.
const siblings = `SELECT m.n FROM memories m JOIN files f ON f.n = m.n
	LEFT JOIN pointers q ON q.parent = m.parent AND q.id = m.id AND q.position = (SELECT min(position) FROM pointers o WHERE o.parent = m.parent AND o.id = m.id) `

// page returns the rows with these numbers, in this order, as an outline has them.
func (t *tx) page(numbers []int64, above row) ([]*row, error) {
	rows, err := t.gather((*row).outlined, strings.Replace(outlineColumns, "PATH", wherePath, 1)+`(SELECT value FROM json_each(?))`, 0, anyMemory, sqlite.List(numbers))
	if err == nil {
		rows, err = t.unopened(rows, above.ID)
	}
	knit(rows, 0, above)
	place := make(map[int64]int, len(numbers))
	for i, n := range numbers {
		place[n] = i
	}
	slices.SortFunc(rows, func(a, b *row) int { return place[a.n] - place[b.n] })
	return rows, err
}

// subtree returns what a walk can meet.
func (t *tx) subtree(o vault.WalkOptions) (rows []*row, err error) {
	if o.Root == "" {
		return t.rows(`WHERE +m.held = 2 AND m.n IN (`+upper+`)`, o.MaxDepth)
	}
	rows, err = t.rows(`WHERE +m.held > 0 AND m.n IN (`+filter.Subtree+`)`, o.Root, o.MaxDepth)
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
