package index

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// meant selects the memory that l.key means: the first of its names.
const meant = `(SELECT k.n FROM names k JOIN files kf ON kf.n = k.n WHERE k.key = l.key ORDER BY k.rank, kf.path LIMIT 1)`

// edge is a relation as the tables hold it; other is the far end, 0 where it
// is not there.
type edge struct {
	vault.Edge
	other int64
}

// Edges returns a memory's relations: its parent and children, the references and links in
// its text, and those of other memories to it. A target named twice in one text is one
// edge. Edges to itself are left out.
func (d *DB) Edges(ctx context.Context, id vault.ID) ([]vault.Edge, error) {
	var edges []edge
	rows, err := ask(ctx, d, func(t *tx) ([]*row, error) {
		var n int64
		found, err := t.Maybe(`SELECT n FROM memories WHERE id = ?`, []any{id}, &n)
		if err != nil || !found {
			return nil, err
		}
		if edges, err = t.edges(n); err != nil {
			return nil, err
		}
		others := []int64{n}
		for _, e := range edges {
			others = append(others, e.other)
		}
		slices.Sort(others)
		return t.rowsIn(slices.Compact(others))
	})
	if err != nil {
		return nil, err
	}
	var self vault.Node
	nodes := make(map[int64]vault.Node, len(rows))
	for i, node := range d.counted(ctx, rows) {
		if nodes[rows[i].n] = node; node.ID == id {
			self = node
		}
	}
	out := make([]vault.Edge, 0, len(edges))
	for _, e := range edges {
		out = append(out, e.between(self, nodes[e.other]))
	}
	return out, nil
}

// between fills in the two ends of an edge of the memory self.
func (e edge) between(self, other vault.Node) vault.Edge {
	e.Other = other
	from, to := other, self
	if e.Outgoing {
		from, to = self, other
	}
	e.From, e.To = from.ID, to.ID
	if e.Kind == "child-of" {
		e.Summary = from.Summary
	}
	return e.Edge
}

// edges returns the relations of the memory n, outgoing ones first.
func (t *tx) edges(n int64) ([]edge, error) {
	var all []edge
	keys, err := t.meaning(n)
	if err != nil {
		return nil, err
	}
	for _, q := range []struct {
		query    string
		outgoing bool
	}{
		{`SELECT 'child-of', parent, '' FROM memories WHERE n = ?1 AND parent IS NOT NULL AND type = 'memory'`, true},
		{`SELECT kind, coalesce(other, 0), min(target) FROM (
			SELECT l.kind AS kind, l.target AS target, l.key AS key, ` + meant + ` AS other FROM links l WHERE l.n = ?1)
			WHERE other IS NOT ?1 GROUP BY kind, coalesce(other, key) ORDER BY kind DESC, min(target), min(key)`, true},
		{`SELECT 'child-of', m.n, '' FROM memories m JOIN files f ON f.n = m.n WHERE m.parent = ?1 AND m.type = 'memory' ORDER BY f.path`, false},
		{`SELECT DISTINCT l.kind, l.n, '' FROM links l JOIN files f ON f.n = l.n
			WHERE l.key IN (SELECT value FROM json_each(?2)) AND l.n <> ?1
			ORDER BY l.kind DESC, f.path`, false},
	} {
		found, err := sqlite.All(t.Tx, q.query, []any{n, keys}, func(r *sqlite.Row) edge {
			e := edge{Edge: vault.Edge{Outgoing: q.outgoing}}
			r.Scan(&e.Kind, &e.other, &e.Target)
			return e
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// meaning returns those keys of the memory n by which links mean it, and no other.
func (t *tx) meaning(n int64) (keys string, err error) {
	var c called
	if err := t.One(`SELECT f.path, coalesce(m.id, ''), m.title FROM memories m JOIN files f ON f.n = m.n WHERE m.n = ?`, []any{n}, &c.path, &c.id, &c.title); err != nil {
		return "", err
	}
	var all []int64
	for _, k := range c.names() {
		var first int64
		err := t.One(`SELECT k.n FROM names k JOIN files f ON f.n = k.n WHERE k.key = ? ORDER BY k.rank, f.path LIMIT 1`, []any{k.key}, &first)
		if err != nil {
			return "", err
		}
		if first == n {
			all = append(all, k.key)
		}
	}
	return sqlite.List(all), nil
}

// Linking returns the files on disk that link to one of the files by its path, or to one in
// the folders; and those in the folders that may link out of their own folder.
func (d *DB) Linking(ctx context.Context, files, folders []vault.Path) ([]vault.Path, error) {
	return ask(ctx, d, func(t *tx) ([]vault.Path, error) {
		var keys []int64
		for _, dir := range folders {
			in, err := sqlite.All(t.Tx, `SELECT path FROM files WHERE path > ? AND path < ?`, []any{dir + "/", dir + "0"}, (*sqlite.Row).Text)
			if err != nil {
				return nil, err
			}
			for _, p := range in {
				files = append(files, vault.Path(p))
			}
		}
		for _, p := range files {
			keys = append(keys, hashed("/"+normal(string(p.Stem()))))
		}
		query, args := `SELECT l.n FROM links l WHERE l.kind = 'link' AND l.key IN (SELECT value FROM json_each(?))`, []any{sqlite.List(keys)}
		for _, dir := range folders {
			query += ` UNION SELECT f.n FROM files f JOIN memories m ON m.n = f.n WHERE f.path > ? AND f.path < ? AND m.upward`
			args = append(args, dir+"/", dir+"0")
		}
		return sqlite.All(t.Tx, `SELECT path FROM files WHERE disk AND n IN (`+query+`) ORDER BY path`, args, func(r *sqlite.Row) vault.Path { return vault.Path(r.Text()) })
	})
}
