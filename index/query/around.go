package query

import (
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// LinkBetween is a relation between two memories, by their numbers.
type LinkBetween struct {
	Of       int64 // the memory that was asked about; one of the ends
	From, To int64
	Relation string // the verb of a link under a heading Relations, else the kind
}

// LinksAround returns the relations of many memories, in the order of ns and within that as [LinksOf]
// tells them, at most limit of each memory. What leads nowhere, or to the memory itself, is
// left out.
func LinksAround(t *sqlite.Tx, ns []int64, limit int) ([]LinkBetween, error) {
	asked := sqlite.List(ns)
	called, references, err := calls(t, asked)
	if err != nil {
		return nil, err
	}
	of := make(map[int64][]LinkBetween, len(ns))
	for _, query := range [...]string{above, outgoing, belowNode, incoming} {
		err := t.Each(query, []any{asked, called, references, limit}, func(r *sqlite.Row) error {
			var b LinkBetween
			r.Scan(&b.Of, &b.From, &b.To, &b.Relation)
			if len(of[b.Of]) < limit {
				of[b.Of] = append(of[b.Of], b)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var all []LinkBetween
	for _, n := range slices.Compact(ns) {
		all = append(all, of[n]...)
		delete(of, n)
	}
	return all, nil
}

// The questions of Around: ?1 are the memories, ?2 the pairs of calls, ?3 the keys of
// references, ?4 the limit.
var (
	above = `SELECT n, n, parent, 'child-of' FROM memories WHERE n IN (SELECT value FROM json_each(?1)) AND parent IS NOT NULL AND held > 0`

	outgoing = `SELECT n, n, other, iif(verb <> '', verb, kind) FROM (
			SELECT *, max(verb) OVER (PARTITION BY n, kind, other) AS best FROM (
				SELECT l.n AS n, l.kind AS kind, l.target AS target, l.verb AS verb, ` + MeantTarget + ` AS other FROM links l WHERE l.n IN (SELECT value FROM json_each(?1))))
		WHERE other <> n AND (verb <> '' OR best = '') GROUP BY n, kind, other, verb ORDER BY n, kind DESC, min(target), verb`

	belowNode = `SELECT parent, n, parent, 'child-of' FROM (
			SELECT m.parent AS parent, m.n AS n, row_number() OVER (PARTITION BY m.parent ORDER BY f.path) AS place
			FROM memories m JOIN files f ON f.n = m.n WHERE m.parent IN (SELECT value FROM json_each(?1)) AND m.held > 0)
		WHERE place <= ?4 ORDER BY parent, place`

	incoming = `SELECT other, n, other, iif(verb <> '', verb, kind) FROM (SELECT *, max(verb) OVER (PARTITION BY kind, n, other) AS best FROM (
			SELECT l.kind AS kind, l.n AS n, l.verb AS verb, json_extract(may.value, '$[1]') AS other
			FROM json_each(?2) may CROSS JOIN links l ON l.key = json_extract(may.value, '$[0]') AND l.kind = 'link'
			UNION ALL
			SELECT kind, n, verb, other FROM (
				SELECT l.kind AS kind, l.n AS n, l.verb AS verb, ` + MeantTarget + ` AS other
				FROM links l WHERE l.key IN (SELECT value FROM json_each(?3)) AND l.kind <> 'link')
			WHERE other IN (SELECT value FROM json_each(?1))))
		JOIN files f USING (n) WHERE n <> other AND (verb <> '' OR best = '') GROUP BY kind, n, other, verb ORDER BY other, kind DESC, f.path, verb`
)

// calls returns by which keys links mean the memories, as pairs of key and memory, and all
// keys by which references may.
func calls(t *sqlite.Tx, asked string) (called, references string, err error) {
	of := make(map[int64][]int64)
	var keys, may []int64
	err = t.Each(`SELECT m.n, f.path, coalesce(m.id, ''), m.title FROM memories m JOIN files f ON f.n = m.n WHERE m.n IN (SELECT value FROM json_each(?))`, []any{asked}, func(r *sqlite.Row) error {
		n, path, id, title := r.Int64(), vault.Path(r.Text()), vault.ID(r.Text()), r.Text()
		for _, k := range NamesOf(path, id, title) {
			of[k.Key] = append(of[k.Key], n)
			keys = append(keys, k.Key)
		}
		may = append(may, ReferenceKeys(path, id, title)...)
		return nil
	})
	if err != nil {
		return "", "", err
	}
	slices.Sort(keys)
	pairs := make([][2]int64, 0, len(keys))
	err = t.Each(`SELECT value, (`+OffersOf(`value`)+` LIMIT 1) FROM json_each(?)
		WHERE EXISTS (SELECT 1 FROM links l WHERE l.key = value)`, []any{sqlite.List(slices.Compact(keys))}, func(r *sqlite.Row) error {
		if key, first := r.Int64(), r.Int64(); slices.Contains(of[key], first) {
			pairs = append(pairs, [2]int64{key, first})
		}
		return nil
	})
	if err != nil {
		return "", "", err
	}
	aliases, err := sqlite.All(t, `SELECT key FROM aliases WHERE n IN (SELECT value FROM json_each(?))`, []any{asked}, (*sqlite.Row).Int64)
	return sqlite.List(pairs), sqlite.List(append(may, aliases...)), err
}
