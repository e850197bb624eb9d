package index

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// outlineColumns select what an outline shows of a memory. Whose parent it has is
// among the rows, and so are the children of all but the deepest.
const outlineColumns = `SELECT m.n, coalesce(m.parent, 0), coalesce(m.id, ''), m.title, m.status,
	iif(m.summary <> '', m.summary, coalesce((SELECT summary FROM pointers o WHERE o.parent = m.parent AND o.id = m.id ORDER BY position LIMIT 1), '')),
	coalesce((SELECT min(position) FROM pointers o WHERE o.parent = m.parent AND o.id = m.id), -1),
	m.created, m.depth, m.orphan, m.tokens,
	iif(m.depth < ?1, 0, (SELECT count(*) FROM memories c WHERE c.parent = m.n AND c.type = 'memory' AND c.status <> 'closed'))
FROM memories m WHERE +m.type = 'memory' AND m.n IN `

// outline returns what a walk can meet, as an outline needs it.
func (t *tx) outline(o vault.WalkOptions) ([]row, error) {
	var above vault.ID
	deepest, from, args := o.MaxDepth, upper, []any{o.MaxDepth}
	if o.Root != "" {
		var depth int
		found, err := t.Maybe(`SELECT m.depth, coalesce(p.id, '') FROM memories m LEFT JOIN memories p ON p.n = m.parent WHERE m.id = ? AND m.type = 'memory'`, []any{o.Root}, &depth, &above)
		if err == nil && !found {
			err = vault.NotFound(string(o.Root))
		}
		if err != nil {
			return nil, err
		}
		deepest, from, args = depth+o.MaxDepth, subtree, []any{o.Root, o.MaxDepth}
	}
	rows, err := t.gather((*row).outlined, outlineColumns+`(`+from+`)`, append([]any{deepest}, args...)...)
	if err != nil {
		return nil, err
	}
	knit(rows, above)
	return rows, t.locate(rows)
}

// locate gives a path to the rows that would have no order without one.
func (t *tx) locate(rows []row) error {
	type place struct {
		parent  int64
		at      int
		created int64
	}
	met := make(map[place]int, len(rows))
	paths := make(map[int64]*row)
	for i := range rows {
		r := &rows[i]
		p := place{r.parent, r.position, r.Created.UnixMicro()}
		if first, ok := met[p]; ok {
			paths[rows[first].n], paths[r.n] = &rows[first], r
		} else {
			met[p] = i
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return t.Each(`SELECT n, path FROM files WHERE n IN (SELECT value FROM json_each(?))`, []any{sqlite.List(slices.Collect(maps.Keys(paths)))}, func(r *sqlite.Row) error {
		paths[r.Int64()].Path = vault.Path(r.Text())
		return nil
	})
}

// outlined reads the columns of outlineColumns.
func (r *row) outlined(v *sqlite.Row) error {
	r.n, r.parent, r.ID = v.Int64(), v.Int64(), vault.ID(v.Text())
	r.Title, r.Type, r.Status, r.Summary, r.position = v.Text(), vault.TypeMemory, v.Text(), vault.Phrase(v.Text()), v.Int()
	r.Created, r.Depth, r.Orphan, r.Tokens, r.Children = v.Time(), v.Int(), v.Bool(), v.Int(), v.Int()
	return nil
}

// knit tells the rows of their parents, the topmost of above, and counts children.
func knit(rows []row, above vault.ID) {
	at := make(map[int64]*row, len(rows))
	for i := range rows {
		at[rows[i].n] = &rows[i]
	}
	for i := range rows {
		r := &rows[i]
		p := at[r.parent]
		switch {
		case p != nil:
			r.Parent = p.ID
			if r.Status != vault.StatusClosed {
				p.Children++
			}
		case r.parent != 0:
			r.Parent = above
		}
	}
}
