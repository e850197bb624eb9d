package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// outlineColumns select what an outline shows of a memory. Whose parent it has is
// among the rows, and so are the children of all but the deepest.
const outlineColumns = `SELECT m.n, coalesce(m.parent, 0), coalesce(m.id, ''), m.title, m.status,
	iif(m.summary <> '', m.summary, coalesce((SELECT summary FROM pointers o WHERE o.parent = m.parent AND o.id = m.id ORDER BY position LIMIT 1), '')),
	coalesce((SELECT min(position) FROM pointers o WHERE o.parent = m.parent AND o.id = m.id), -1),
	m.created, m.deferred, m.depth, m.orphan, m.tokens, m.keeps, m.approved_at, m.denied_at, m.protected, PATH,
	iif(m.depth < ?1 OR m.keeps = 'none', 0, (SELECT count(*) FROM memories c WHERE c.parent = m.n AND c.held > 0 AND c.status <> 'closed'))
FROM memories m WHERE +m.held >= ?2 AND m.n IN `

// outline returns what a walk can meet, as an outline needs it.
func (t *tx) outline(o vault.WalkOptions) ([]*row, error) {
	var above row
	deepest, from, args, least := o.MaxDepth, upper, []any{o.MaxDepth}, inTree
	switch {
	case o.Dir != "":
		least, deepest, from, args = anyMemory, vault.MaxDepth+1, query.InsideFolder, query.WithinRange(o.Dir)
		_, err := t.Maybe(`SELECT coalesce(m.id, ''), f.path FROM memories m JOIN files f ON f.n = m.n WHERE m.n = ?`,
			[]any{newPlacer(t.folderMemory).above(o.Dir).n}, &above.ID, &above.Path)
		if err != nil {
			return nil, err
		}
	case o.Root != "":
		var depth int
		found, err := t.Maybe(`SELECT m.depth, coalesce(p.id, ''), coalesce(f.path, '') FROM memories m LEFT JOIN memories p ON p.n = m.parent LEFT JOIN files f ON f.n = p.n
			WHERE m.id = ? AND m.held > 0`, []any{o.Root}, &depth, &above.ID, &above.Path)
		if err == nil && !found {
			err = vault.NotFound(string(o.Root))
		}
		if err != nil {
			return nil, err
		}
		least, deepest, from, args = anyMemory, depth+o.MaxDepth, query.Subtree, []any{o.Root, o.MaxDepth}
	}
	path := wherePath
	if o.Unplaced {
		path = `iif(m.loose, ` + wherePath + `, '')`
	}
	rows, err := t.gather((*row).readOutline, strings.Replace(outlineColumns, "PATH", path, 1)+`(`+from+`)`, append([]any{deepest, least}, args...)...)
	if err == nil {
		rows, err = t.dropBelowQuiet(rows, o.Root)
	}
	if err == nil && o.Unplaced {
		err = t.setPaths(rows)
	}
	if err != nil {
		return nil, err
	}
	knit(rows, deepest, above)
	if o.Dir != "" {
		rows = shallow(rows, o.MaxDepth)
	}
	return rows, nil
}

const wherePath = `(SELECT path FROM files WHERE n = m.n)`

// setPaths gives paths to the rows that need one, though they are not loose: the parents of
// those that are, rows that without a path would have no order, and provisional ones.
func (t *tx) setPaths(rows []*row) error {
	type spot struct {
		parent  int64
		at      int
		created int64
	}
	needed, met := make(map[int64]bool), make(map[spot]*row, len(rows))
	for _, r := range rows {
		at := spot{r.parent, r.position, r.Created.UnixMicro()}
		if first := met[at]; first != nil {
			needed[first.n], needed[r.n] = true, true
		}
		met[at] = r
		needed[r.n] = needed[r.n] || r.ID.Provisional()
		needed[r.parent] = needed[r.parent] || r.Path != ""
	}
	var numbers []int64
	for _, r := range rows {
		if needed[r.n] && r.Path == "" {
			numbers = append(numbers, r.n)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	paths := make(map[int64]vault.Path, len(numbers))
	err := t.Each(`SELECT n, path FROM files WHERE n IN (SELECT value FROM json_each(?))`, []any{sqlite.List(numbers)}, func(r *sqlite.Row) error {
		paths[r.Int64()] = vault.Path(r.Text())
		return nil
	})
	for _, r := range rows {
		r.Path = cmp.Or(r.Path, paths[r.n])
	}
	return err
}

// shallow returns the rows that lie at most so many levels below the topmost.
func shallow(rows []*row, levels int) []*row {
	least := vault.MaxDepth
	for _, r := range rows {
		least = min(least, r.Depth)
	}
	return slices.DeleteFunc(rows, func(r *row) bool { return r.Depth > least+levels })
}

// readOutline reads the columns of outlineColumns.
func (r *row) readOutline(v *sqlite.Row) error {
	r.n, r.parent, r.ID = v.Int64(), v.Int64(), vault.ID(v.Text())
	r.Title, r.Type, r.Status, r.Summary, r.position = v.Text(), vault.TypeMemory, v.Text(), vault.Phrase(v.Text()), v.Int()
	r.Created, r.Deferred, r.Depth, r.Orphan, r.Tokens, r.Header.Pointers = v.Time(), v.Time(), v.Int(), v.Bool(), v.Int(), v.Text()
	r.Approved, r.Denied, r.Protected, r.Path, r.Children = v.Time(), v.Time(), v.Text(), vault.Path(v.Text()), v.Int()
	return nil
}

// knit tells the rows of their parents, the topmost of above, and counts children. The
// deepest rows are nobody's parents.
func knit(rows []*row, deepest int, above row) {
	at := make(map[int64]*row)
	for _, r := range rows {
		if r.Depth < deepest && !r.counted {
			at[r.n] = r
		}
	}
	for _, r := range rows {
		p := at[r.parent]
		switch {
		case p != nil:
			r.Parent, r.above = p.ID, p.Path
			if r.Status != vault.StatusClosed {
				p.Children++
			}
		case r.parent != 0:
			r.Parent, r.above, r.parent = above.ID, above.Path, 0
		}
		if p == nil || p.Path != "" { // else no child of p is loose
			r.derivePlace()
		}
	}
}
