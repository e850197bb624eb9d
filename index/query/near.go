package query

import (
	"github.com/cp-memory/cp/index/sqlite"
)

// NearNode is a memory that links join to another one, with or against their direction.
type NearNode struct {
	Of     int64 // the memory that was asked about
	N      int64 // the other one
	Common int   // how many links have the same target, itself included; at most most+1
}

// NearestNodes returns the memories that links and references join to the memories ns, by targets
// that at most so many links have. Parents and children are none.
func NearestNodes(t *sqlite.Tx, ns []int64, most int) ([]NearNode, error) {
	asked := sqlite.List(ns)
	called, references, err := calls(t, asked)
	if err != nil {
		return nil, err
	}
	queries, err := chooseQueries(t, asked, called, references)
	if err != nil {
		return nil, err
	}
	var all []NearNode
	for _, query := range queries {
		found, err := sqlite.All(t, query, []any{asked, called, references, most}, func(r *sqlite.Row) NearNode { return NearNode{r.Int64(), r.Int64(), r.Int()} })
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// chooseQueries returns the questions that may have an answer. Most links are of the kind link, and
// to compile [MeantTarget] takes longer than to answer the rest.
func chooseQueries(t *sqlite.Tx, asked, called, references string) (queries []string, err error) {
	var out, others, in bool
	err = t.One(`SELECT count(*) > 0, coalesce(max(kind <> 'link'), 0), EXISTS (SELECT 1 FROM links WHERE key IN (SELECT value FROM json_each(?2)) AND kind <> 'link')
		FROM links WHERE n IN (SELECT value FROM json_each(?1))`, []any{asked, references}, &out, &others, &in)
	switch {
	case others:
		queries = append(queries, queryTargets(MeantTarget))
	case out:
		queries = append(queries, queryTargets(linkedNodes))
	}
	switch {
	case in:
		queries = append(queries, pointing(byName+` UNION `+byMeaning))
	case called != "[]":
		queries = append(queries, pointing(byName))
	}
	return queries, err
}

// linkedNodes selects the memory that the link l means, of the kind link.
var linkedNodes = `(` + OffersOf(`l.key`) + ` LIMIT 1)`

// The questions of Nearest, with the arguments of Around's.

func queryTargets(meant string) string {
	return `SELECT DISTINCT n, other, common FROM (
			SELECT l.n AS n, ` + meant + ` AS other, (SELECT count(*) FROM (SELECT 1 FROM links o WHERE o.key = l.key LIMIT ?4 + 1)) AS common
			FROM links l WHERE l.n IN (SELECT value FROM json_each(?1)))
		WHERE other <> n AND common <= ?4 ORDER BY n, other`
}

func pointing(pairs string) string {
	return `SELECT other, n, common FROM (SELECT other, n, count(*) OVER (PARTITION BY other) AS common FROM (` + pairs + `) WHERE n <> other)
		WHERE common <= ?4 ORDER BY other, n`
}

// The pairs of a memory and who leads to it, by the kind link and by others.
var (
	byName = `SELECT DISTINCT json_extract(may.value, '$[1]') AS other, l.n AS n
			FROM json_each(?2) may CROSS JOIN links l ON l.key = json_extract(may.value, '$[0]') AND l.kind = 'link'`

	byMeaning = `SELECT other, n FROM (
				SELECT l.n AS n, ` + MeantTarget + ` AS other FROM links l WHERE l.key IN (SELECT value FROM json_each(?3)) AND l.kind <> 'link')
			WHERE other IN (SELECT value FROM json_each(?1))`
)
