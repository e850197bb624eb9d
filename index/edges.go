package index

import (
	"context"
	"slices"
	"strconv"

	"github.com/cp-memory/cp/index/naming"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// meant selects the memory that the link l means. It is asked whenever somebody reads, so a
// link begins to lead somewhere when a file appears. A references key is resolved as
// [vault.Resolve] does it (TestReferencesMeanWhatCommandsMean), but never as a stand-in id; the
// keys of a succession name ids.
var meant = `CASE l.kind
	WHEN 'link' THEN (SELECT k.n FROM names k JOIN files kf ON kf.n = k.n WHERE k.key = l.key ORDER BY k.rank, kf.path LIMIT 1)
	WHEN 'references' THEN coalesce(` + byID + `,
		(SELECT m.n FROM files f JOIN memories m ON m.n = f.n WHERE f.path IN (` + plain + `, ` + plain + ` || '.md') ORDER BY length(f.path) LIMIT 1),
		iif(length(CAST(l.target AS BLOB)) >= 3 AND instr(l.target, '/') = 0, (SELECT min(begun.n) FROM (
			SELECT m.n FROM memories m WHERE m.id >= l.target AND m.id < l.target || char(1114111) AND m.id NOT LIKE 'new-%' LIMIT 2) begun HAVING count(*) = 1), NULL),
		(SELECT min(named.n) FROM (
			SELECT k.n FROM names k WHERE k.key = l.key AND k.rank = ` + strconv.Itoa(naming.Title) + ` UNION SELECT a.n FROM aliases a WHERE a.key = l.key LIMIT 2) named HAVING count(*) = 1))
	ELSE ` + byID + ` END`

var byID = `(SELECT k.n FROM names k WHERE k.key = l.key AND k.rank = ` + strconv.Itoa(naming.ID) + `)`

const plain = `iif(l.target LIKE './%', substr(l.target, 3), l.target)`

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
	links, references, err := t.meaning(n)
	if err != nil {
		return nil, err
	}
	for _, q := range []struct {
		query    string
		outgoing bool
	}{
		{`SELECT 'child-of', parent, '', '' FROM memories WHERE n = ?1 AND parent IS NOT NULL AND held > 0`, true},
		{`SELECT kind, coalesce(other, 0), min(target), max(verb) FROM (
			SELECT l.kind AS kind, l.target AS target, l.verb AS verb, l.key AS key, ` + meant + ` AS other FROM links l WHERE l.n = ?1)
			WHERE other IS NOT ?1 GROUP BY kind, coalesce(other, key) ORDER BY kind DESC, min(target), min(key)`, true},
		{`SELECT 'child-of', m.n, '', '' FROM memories m JOIN files f ON f.n = m.n WHERE m.parent = ?1 AND m.held > 0 ORDER BY f.path`, false},
		{`SELECT kind, n, '', verb FROM (
			SELECT kind, n, max(verb) AS verb FROM links WHERE key IN (SELECT value FROM json_each(?2)) AND kind = 'link' GROUP BY kind, n
			UNION SELECT l.kind, l.n, l.verb FROM links l WHERE l.key IN (SELECT value FROM json_each(?3)) AND l.kind <> 'link' AND ` + meant + ` = ?1)
			JOIN files f USING (n) WHERE n <> ?1 ORDER BY kind DESC, f.path`, false},
	} {
		found, err := sqlite.All(t.Tx, q.query, []any{n, links, references}, func(r *sqlite.Row) edge {
			e := edge{Edge: vault.Edge{Outgoing: q.outgoing}}
			r.Scan(&e.Kind, &e.other, &e.Target, &e.Verb)
			return e
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// meaning returns those keys of the memory n by which links mean it, and no other, and all
// those by which references may.
func (t *tx) meaning(n int64) (links, references string, err error) {
	var c called
	if err := t.One(`SELECT f.path, coalesce(m.id, ''), m.title FROM memories m JOIN files f ON f.n = m.n WHERE m.n = ?`, []any{n}, &c.path, &c.id, &c.title); err != nil {
		return "", "", err
	}
	var all []int64
	for _, k := range c.names() {
		var first int64
		err := t.One(`SELECT k.n FROM names k JOIN files f ON f.n = k.n WHERE k.key = ? ORDER BY k.rank, f.path LIMIT 1`, []any{k.Key}, &first)
		if err != nil {
			return "", "", err
		}
		if first == n {
			all = append(all, k.Key)
		}
	}
	other, err := sqlite.All(t.Tx, `SELECT key FROM aliases WHERE n = ?`, []any{n}, (*sqlite.Row).Int64)
	return sqlite.List(all), sqlite.List(append(other, naming.References(c.path, c.id, c.title)...)), err
}

// Linking returns the files on disk that link to one of the files by its path, in prose or
// under references:, or to one in the folders; and those in the folders that may link out of their own folder.
func (d *DB) Linking(ctx context.Context, files, folders []vault.Path) ([]vault.Path, error) {
	return ask(ctx, d, func(t *tx) ([]vault.Path, error) {
		var keys, references []int64
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
			keys = append(keys, naming.Hash("/"+naming.Normal(string(p.Stem()))))
			references = append(references, naming.References(p, "", "")...)
		}
		query, args := `SELECT l.n FROM links l WHERE l.kind = 'link' AND l.key IN (SELECT value FROM json_each(?))
			UNION SELECT l.n FROM links l WHERE l.kind = 'references' AND l.key IN (SELECT value FROM json_each(?))`, []any{sqlite.List(keys), sqlite.List(references)}
		for _, dir := range folders {
			query += ` UNION SELECT f.n FROM files f JOIN memories m ON m.n = f.n WHERE f.path > ? AND f.path < ? AND m.upward`
			args = append(args, dir+"/", dir+"0")
		}
		return sqlite.All(t.Tx, `SELECT path FROM files WHERE disk AND n IN (`+query+`) ORDER BY path`, args, func(r *sqlite.Row) vault.Path { return vault.Path(r.Text()) })
	})
}
