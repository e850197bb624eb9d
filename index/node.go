package index

import (
	"context"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// nodeColumns select everything a Node holds but its telemetry, which is asked
// from its own file at the end (DB.counted).
var nodeColumns = `SELECT m.n, coalesce(m.parent, 0), coalesce(m.id, ''), f.path, ` + columns("m.%s") + `,
	(SELECT json_group_array(label) FROM (SELECT label FROM labels l WHERE l.n = m.n ORDER BY position)),
	coalesce(q.position, -1), coalesce(q.summary, ''), f.hash, iif(f.aside, f.hash, f.head), f.size,
	coalesce(p.id, ''), coalesce(p.title, ''), coalesce(pf.path, ''), m.depth,
	iif(m.keeps = 'none', 0, (SELECT count(*) FROM memories c WHERE c.parent = m.n AND c.held > 0 AND c.status <> 'closed')), coalesce(p.keeps = 'none', 0),
	m.orphan, m.has_block, m.content, m.tokens
FROM memories m
JOIN files f ON f.n = m.n
LEFT JOIN memories p ON p.n = m.parent
LEFT JOIN files pf ON pf.n = m.parent
LEFT JOIN pointers q ON q.parent = m.parent AND q.position =
	(SELECT min(position) FROM pointers o WHERE o.parent = m.parent AND o.id = m.id) `

// displayOrder orders the children of one parent.
const displayOrder = query.SiblingOrder

// row is a Node with what its neighbours know it by.
type row struct {
	vault.Node
	n, parent int64
	position  int        // in the parent's block; -1 when it is not there
	above     vault.Path // the parent's file
	counted   bool       // its children are counted, not among the rows
}

// derivePlace derives from the two paths whether the memory stands for its folder, and in which
// folder without a memory it lies.
func (r *row) derivePlace() {
	dir, home := r.Path.Dir(), r.above.Home()
	r.Seat = r.Path.FolderRank() > 0 && !r.Orphan && home != dir && r.above.Dir() != dir
	if r.Seat {
		dir = dir.Dir()
	}
	if !r.Path.Within(home) { // the parent stands for its folder
		home = r.above.Dir()
	}
	if dir != home && !r.Orphan {
		r.In = dir
	}
}

// rows returns the nodes of a query that continues nodeColumns.
func (t *tx) rows(more string, args ...any) ([]*row, error) {
	return t.gather((*row).readNode, nodeColumns+more, args...)
}

// gather returns the nodes of a query that fill reads.
func (t *tx) gather(fill func(*row, *sqlite.Row) error, query string, args ...any) ([]*row, error) {
	var all []*row
	var free []row // a row is large, so they are made many at a time and never moved
	err := t.Each(query, args, func(r *sqlite.Row) error {
		if len(free) == 0 {
			free = make([]row, min(256, 16+len(all)))
		}
		next := &free[0]
		all, free = append(all, next), free[1:]
		return fill(next, r)
	})
	if err == nil && len(all) > 0 {
		err = t.succeed(all)
	}
	return all, err
}

// readNode reads the columns of nodeColumns.
func (r *row) readNode(v *sqlite.Row) (err error) {
	r.n, r.parent, r.ID, r.Path = v.Int64(), v.Int64(), vault.ID(v.Text()), vault.Path(v.Text())
	readHeader(v, &r.Header)
	labels := v.Text()
	r.position = v.Int()
	pointed := v.Text()
	if r.Summary = vault.Phrase(r.Summary); r.Summary == "" {
		r.Summary = vault.Phrase(pointed)
	}
	r.Hash, r.Head, r.Size = string(v.Hash()), string(v.Hash()), v.Int64()
	r.Parent, r.ParentTitle = vault.ID(v.Text()), v.Text()
	r.above = vault.Path(v.Text())
	r.Depth, r.Children, r.Unpointed, r.Orphan, r.HasBlock = v.Int(), v.Int(), v.Bool(), v.Bool(), v.Bool()
	r.Content, r.Tokens = string(v.Hash()), v.Int()
	r.derivePlace()
	r.Labels, err = sqlite.Strings(labels)
	return err
}

// nodesWithCounts returns the nodes of rows with their telemetry.
func (d *DB) nodesWithCounts(ctx context.Context, rows []*row) []vault.Node {
	d.fillTelemetry(ctx, rows)
	nodes := make([]vault.Node, len(rows))
	for i, r := range rows {
		nodes[i] = r.Node
	}
	return nodes
}

// fillTelemetry fills in the telemetry, the parents' too. Telemetry that cannot be read counts as
// zero.
func (d *DB) fillTelemetry(ctx context.Context, rows []*row) {
	ids := make([]vault.ID, 0, len(rows)+1)
	var parent vault.ID // of those before, which most often is the same
	for _, r := range rows {
		ids = append(ids, r.ID)
		if r.Parent != parent {
			parent = r.Parent
			ids = append(ids, parent)
		}
	}
	reads, err := d.opt.Usage.Reads(ctx, ids)
	if err != nil {
		return
	}
	for _, r := range rows {
		r.Reads = reads[r.ID]
		r.ParentReads = reads[r.Parent].Count
	}
}

// nodes runs one query that continues nodeColumns.
func (d *DB) nodes(ctx context.Context, more string, args ...any) ([]vault.Node, error) {
	rows, err := askSnapshot(ctx, d, func(t *tx) ([]*row, error) { return t.rows(more, args...) })
	if err != nil {
		return nil, err
	}
	return d.nodesWithCounts(ctx, rows), nil
}

// selectRows returns the rows that a query of row numbers chooses, in its order. Only
// they are joined with their neighbours.
func (t *tx) selectRows(query string, args ...any) ([]*row, error) {
	order, err := sqlite.All(t.Tx, query, args, (*sqlite.Row).Int64)
	if err != nil || len(order) == 0 {
		return nil, err
	}
	return t.rowsIn(order)
}

// rowsByNumber returns the rows of the given numbers in their order. What was found by the sums of
// several vaults has marks: most of it is not shown, and a row costs five times as much.
func (t *tx) rowsByNumber(order []int64, o vault.ListOptions) ([]*row, error) {
	if o.Sums == nil {
		return t.rowsIn(order)
	}
	found, err := t.gather((*row).readMark, markColumns, sqlite.List(order))
	return inOrder(found, order), err
}

// markColumns select where a memory stands, and what tells it from its twin in a clone.
const markColumns = `SELECT m.n, coalesce(m.id, ''), f.path, m.type, m.long_term_at, m.content FROM memories m JOIN files f ON f.n = m.n WHERE m.n IN (SELECT value FROM json_each(?))`

// readMark reads markColumns.
func (r *row) readMark(v *sqlite.Row) error {
	r.n, r.ID, r.Path, r.Type, r.LongTerm, r.Content = v.Int64(), vault.ID(v.Text()), vault.Path(v.Text()), v.Text(), v.Time(), string(v.Hash())
	return nil
}

// Nodes returns the memories in files, without telemetry.
func (d *DB) Nodes(ctx context.Context, files []vault.Path) ([]vault.Node, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]vault.Node, error) {
		return nodesOf(t.selectRows(`SELECT n FROM files WHERE path IN (SELECT value FROM json_each(?))`, sqlite.List(files)))
	})
}

// rowsIn returns the rows of the given numbers in their order.
func (t *tx) rowsIn(order []int64) ([]*row, error) {
	found, err := t.rows(`WHERE m.n IN (SELECT value FROM json_each(?))`, sqlite.List(order))
	return inOrder(found, order), err
}

// inOrder puts rows into the order of their numbers.
func inOrder(found []*row, order []int64) []*row {
	at := make(map[int64]*row, len(found))
	for _, r := range found {
		at[r.n] = r
	}
	rows := make([]*row, 0, len(found))
	for _, n := range order {
		if r := at[n]; r != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// superseded selects what was superseded and by what. There are few of them, and
// they have an index of their own, which only these words make SQLite use.
const superseded = `SELECT iif(l.kind = 'supersedes', l.target, m.id) AS old, iif(l.kind = 'supersedes', m.id, l.target) AS new
	FROM links l JOIN memories m ON m.n = l.n WHERE l.kind IN ('supersedes', 'superseded_by') AND m.id IS NOT NULL`

// succession reports whether anything was superseded. To compile the statements that tell what
// costs a vault of a family 0.2 ms, and most vaults hold nothing of the kind.
func (t *tx) succession() (any bool, err error) {
	err = t.One(`SELECT EXISTS (SELECT 1 FROM links WHERE kind IN ('supersedes', 'superseded_by'))`, nil, &any)
	return any, err
}

// succeed fills in what has taken the place of the rows' memories. Whether the
// old one says so in its file or the new one in its own makes no difference.
func (t *tx) succeed(rows []*row) error {
	if any, err := t.succession(); err != nil || !any {
		return err
	}
	var successor map[vault.ID]vault.ID
	err := t.Each(superseded+` ORDER BY 1, 2 DESC`, nil, func(r *sqlite.Row) error {
		if successor == nil {
			successor = make(map[vault.ID]vault.ID)
		}
		successor[vault.ID(r.Text())] = vault.ID(r.Text())
		return nil
	})
	for _, r := range rows {
		r.Superseded = successor[r.ID]
	}
	return err
}
