package query

import (
	"strconv"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// MeantTarget selects the memory that the link l means. It is asked whenever somebody reads, so a
// link begins to lead somewhere when a file appears. A references key is resolved as
// [naming.Resolve] does it (TestReferencesMeanWhatCommandsMean), but never as a stand-in id; the
// keys of a succession name ids.
var MeantTarget = `iif(l.kind = 'link', (` + OffersOf(`l.key`) + ` LIMIT 1), coalesce(
	(SELECT k.n FROM names k WHERE k.key = l.key AND k.rank = ` + strconv.Itoa(RankID) + `),
	iif(l.kind = 'references', coalesce(
		(SELECT m.n FROM files f JOIN memories m ON m.n = f.n WHERE f.path IN (` + plainLink + `, ` + plainLink + ` || '.md') ORDER BY length(f.path) LIMIT 1),
		iif(length(CAST(l.target AS BLOB)) >= 3 AND instr(l.target, '/') = 0, (SELECT min(begun.n) FROM (
			SELECT m.n FROM memories m WHERE m.id >= l.target AND m.id < l.target || char(1114111) AND m.id NOT LIKE 'new-%' LIMIT 2) begun HAVING count(*) = 1), NULL),
		(SELECT min(named.n) FROM (
			SELECT k.n FROM names k WHERE k.key = l.key AND k.rank = ` + strconv.Itoa(RankTitle) + ` UNION SELECT a.n FROM aliases a WHERE a.key = l.key LIMIT 2) named HAVING count(*) = 1)), NULL)))`

const plainLink = `iif(l.target LIKE './%', substr(l.target, 3), l.target)`

// LinkEdge is a relation as the tables hold it; N is the far end, 0 where it is not there.
type LinkEdge struct {
	vault.Edge
	N int64
}

// LinksOf returns the relations of the memory n, outgoing ones first; its children only with kin.
func LinksOf(t *sqlite.Tx, n int64, kin bool) ([]LinkEdge, error) {
	var all []LinkEdge
	links, references, err := meaning(t, n)
	if err != nil {
		return nil, err
	}
	for _, q := range []struct {
		query    string
		outgoing bool
	}{
		{`SELECT 'child-of', parent, '', '' FROM memories WHERE n = ?1 AND parent IS NOT NULL AND held > 0`, true},
		{`SELECT kind, coalesce(other, 0), min(target), verb FROM (
			SELECT *, max(verb) OVER (PARTITION BY kind, coalesce(other, key)) AS best FROM (
				SELECT l.kind AS kind, l.target AS target, l.verb AS verb, l.key AS key, ` + MeantTarget + ` AS other FROM links l WHERE l.n = ?1))
			WHERE other IS NOT ?1 AND (verb <> '' OR best = '') GROUP BY kind, coalesce(other, key), verb ORDER BY kind DESC, min(target), min(key), verb`, true},
		{`SELECT 'child-of', m.n, '', '' FROM memories m JOIN files f ON f.n = m.n WHERE m.parent = ?1 AND m.held > 0 AND ?4 ORDER BY f.path`, false},
		{`SELECT kind, n, '', verb FROM (
			SELECT DISTINCT kind, n, verb FROM (SELECT kind, n, verb, max(verb) OVER (PARTITION BY n) AS best FROM links WHERE key IN (SELECT value FROM json_each(?2)) AND kind = 'link')
			WHERE verb <> '' OR best = ''
			UNION SELECT l.kind, l.n, l.verb FROM links l WHERE l.key IN (SELECT value FROM json_each(?3)) AND l.kind <> 'link' AND ` + MeantTarget + ` = ?1)
			JOIN files f USING (n) WHERE n <> ?1 ORDER BY kind DESC, f.path, verb`, false},
	} {
		found, err := sqlite.All(t, q.query, []any{n, links, references, kin}, func(r *sqlite.Row) LinkEdge {
			e := LinkEdge{Edge: vault.Edge{Outgoing: q.outgoing}}
			r.Scan(&e.Kind, &e.N, &e.Target, &e.Verb)
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
func meaning(t *sqlite.Tx, n int64) (links, references string, err error) {
	var path vault.Path
	var id vault.ID
	var title string
	if err := t.One(`SELECT f.path, coalesce(m.id, ''), m.title FROM memories m JOIN files f ON f.n = m.n WHERE m.n = ?`, []any{n}, &path, &id, &title); err != nil {
		return "", "", err
	}
	var all []int64
	for _, k := range NamesOf(path, id, title) {
		var first int64
		err := t.One(OffersOf(`?`)+` LIMIT 1`, []any{k.Key}, &first)
		if err != nil {
			return "", "", err
		}
		if first == n {
			all = append(all, k.Key)
		}
	}
	other, err := sqlite.All(t, `SELECT key FROM aliases WHERE n = ?`, []any{n}, (*sqlite.Row).Int64)
	return sqlite.List(all), sqlite.List(append(other, ReferenceKeys(path, id, title)...)), err
}
