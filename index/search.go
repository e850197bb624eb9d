package index

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// maxTerms bounds the terms that a query looks for. Later terms, of a text pasted as a
// query, would not improve the ranking.
const maxTerms = 64

// Search ranks the memories that hold any of the query's terms by BM25. Compared with a
// term in the text, one in the title weighs 10 times as much, one in the names of the file
// and its folder 5 times, one in labels and summary 3 times (schema.sql). What links call the
// memory is added (package scoring). Superseded
// memories come last. Entries of the journal are found, too, but for denied ones. A query without letters or digits finds nothing.
// By the sums of several vaults the hits are marks (DB.Nodes has the rest): most of them will
// not be shown.
func (d *DB) Search(ctx context.Context, question string, o vault.ListOptions) ([]vault.Hit, int, error) {
	asked := query.ParseQuestion(question, maxTerms)
	if len(asked.Words) == 0 {
		return nil, 0, nil
	}
	if err := d.traceFor(ctx, o); err != nil {
		return nil, 0, err
	}
	o.Found = true
	f := query.NewFilter(o, d.opt.Now())
	limit, offset := pageLimits(o)
	var total int
	scores := make(map[int64]float64)
	var called map[int64][]string
	rows, err := askSnapshot(ctx, d, func(t *tx) (rows []*row, err error) {
		match, err := query.RankedQuery(t.Tx, asked, o)
		if err != nil {
			return nil, err
		}
		if total, err = t.countMatches(match.WithoutRank(), f, o); err != nil {
			return nil, err
		}
		order, err := t.best(match, f, limit, offset, true, nil, scores)
		if err != nil {
			return nil, err
		}
		if called, err = query.AnchorsOf(t.Tx, order); err != nil {
			return nil, err
		}
		return t.rowsByNumber(order, o)
	})
	if err != nil {
		return nil, 0, err
	}
	hits, texts := make([]vault.Hit, len(rows)), asked.IndexWords()
	for i, r := range rows {
		hits[i] = vault.Hit{Node: r.Node, Score: scores[r.n], Terms: texts, Called: called[r.n]}
	}
	if o.Sums == nil {
		for i, n := range d.nodesWithCounts(ctx, rows) {
			hits[i].Node = n
		}
	}
	return hits, total, nil
}

// fewMatches is up to where looking at each match's row is cheaper than listing
// all rows that pass a filter: 1 µs against 0.1 µs for each of them.
const fewMatches = 4000

// countMatches returns how many rows match and pass the filter.
func (t *tx) countMatches(match query.TextQuery, f query.Filter, o vault.ListOptions) (total int, err error) {
	var not int
	among := ""
	if left := query.CountLeft(o); left != "" {
		among = left + ` AND `
	} else {
		few, err := t.few(match)
		if err != nil {
			return 0, err
		}
		if few || query.IsNarrow(o) {
			err = t.One(`SELECT count(*) `+f.Matching(match.From(), few), match.Args(f.Args...), &total)
			return total, err
		}
	}
	// Nearly all pass, so those are looked for that do not.
	err = t.One(`SELECT count(*), coalesce(sum(rowid IN (SELECT m.n FROM memories m WHERE `+among+f.Condition()+` IS NOT TRUE)), 0)
		`+match.From(), append(f.Args[:len(f.Args):len(f.Args)], match.Args()...), &total, &not)
	return total - not, err
}

// best returns a page of the rows that match and pass the filter, those that were
// superseded behind the rest where that is asked for. Ranking first and filtering
// afterwards costs a third where most pass and few were superseded; where too few of
// the best did, it is done the other way round. Rows below the bar may be left
// out.
func (t *tx) best(match query.TextQuery, f query.Filter, limit, offset int, behind bool, bar *family.Bar, scores map[int64]float64) ([]int64, error) {
	ahead := 2 * (limit + offset)
	order, err := t.top(match, ahead, bar, scores)
	if err != nil {
		return nil, err
	}
	passed, err := t.selectNumbers(`SELECT m.n FROM json_each(?) j CROSS JOIN memories m ON m.n = j.value `+f.Where(), append([]any{sqlite.List(order)}, f.Args...)...)
	if err != nil {
		return nil, err
	}
	by, last := byRank, map[int64]bool(nil)
	if behind {
		behind, err = t.succession()
	}
	if err != nil {
		return nil, err
	}
	if behind {
		by = lastly + `, ` + byRank
		if last, err = t.selectNumbers(`SELECT n FROM memories WHERE id IN (SELECT old FROM (` + superseded + `))`); err != nil {
			return nil, err
		}
	}
	complete := len(order) < ahead
	order = slices.DeleteFunc(order, func(n int64) bool { return !passed[n] })
	slices.SortStableFunc(order, func(a, b int64) int { return compareBool(last[a], last[b]) })
	first := slices.IndexFunc(order, func(n int64) bool { return last[n] })
	if complete || first < 0 && len(order) >= limit+offset || first >= limit+offset {
		return order[min(offset, len(order)):min(offset+limit, len(order))], nil
	}
	few, err := t.few(match.WithoutRank())
	if err != nil {
		return nil, err
	}
	args := append(match.Args(f.Args...), limit, offset)
	return rankRows(t, f.Matching(match.From(), few), by, args, scores)
}

// bestOfFew returns the first rows that match and pass a filter that few pass.
func (t *tx) bestOfFew(match query.TextQuery, f query.Filter, limit int, scores map[int64]float64) ([]int64, error) {
	var any bool
	err := t.One(`SELECT EXISTS (SELECT 1 FROM memories m `+f.Where()+`)`, f.Args, &any)
	if err != nil || !any {
		return nil, err
	}
	return rankRows(t, f.Matching(match.From(), false), byRank, match.Args(append(f.Args[:len(f.Args):len(f.Args)], limit, 0)...), scores)
}

// selectNumbers returns the row numbers that a query selects.
func (t *tx) selectNumbers(query string, args ...any) (map[int64]bool, error) {
	all, err := sqlite.All(t.Tx, query, args, (*sqlite.Row).Int64)
	set := make(map[int64]bool, len(all))
	for _, n := range all {
		set[n] = true
	}
	return set, err
}

// few reports whether so few rows match.
func (t *tx) few(match query.TextQuery) (bool, error) {
	var matches int
	err := t.One(`SELECT count(*) FROM (SELECT 1 `+match.From()+` LIMIT +?)`, match.Args(fewMatches+1), &matches)
	return matches <= fewMatches, err
}

// lastly returns the rows of the superseded memories.
const lastly = `rowid IN (SELECT n FROM memories WHERE id IN (SELECT old FROM (` + superseded + `)))`

// byRank orders the best first, and those that score the same by whether they are in the
// tree, and by their paths.
const byRank = `rank, -(SELECT held FROM memories WHERE n = docs.rowid), (SELECT path FROM files WHERE n = docs.rowid)`

// tied is the number of rows with equal scores that are expected at the end of a page.
const tied = 100

// top returns the first matching rows in the order byRank, and notes their scores. Looking
// up the path of every match would cost half as much again. So it takes a few rows beyond the
// first ones, and looks up the paths only of those with equal scores, unless all rows beyond
// have the score of the last one. Rows below the bar are none of the first.
func (t *tx) top(match query.TextQuery, limit int, bar *family.Bar, scores map[int64]float64) ([]int64, error) {
	order, err := readRanked(t, `SELECT rowid, -rank `+match.From()+` ORDER BY rank, rowid LIMIT +?`, match.Args(limit+tied), scores)
	n := len(order)
	if err != nil || n == 0 {
		return nil, err
	}
	last := scores[order[min(limit, n)-1]]
	if n == limit+tied && scores[order[n-1]] == last {
		return rankRows(t, match.From(), byRank, match.Args(limit, 0), scores)
	}
	least := max(last, bar.Score())
	order = slices.DeleteFunc(order, func(n int64) bool { return scores[n] < least })
	if err := t.untie(order, scores); err != nil {
		return nil, err
	}
	return order[:min(limit, len(order))], nil
}

// untie orders rows, the best first already, where they score the same: those of the tree
// first, then by their paths.
func (t *tx) untie(order []int64, scores map[int64]float64) error {
	var equal []int64
	for i, n := range order {
		if i > 0 && scores[n] == scores[order[i-1]] || i+1 < len(order) && scores[n] == scores[order[i+1]] {
			equal = append(equal, n)
		}
	}
	if len(equal) == 0 {
		return nil
	}
	type place struct {
		held int
		path string
	}
	places := make(map[int64]place, len(equal))
	err := t.Each(`SELECT f.n, coalesce(m.held, 0), f.path FROM files f LEFT JOIN memories m ON m.n = f.n WHERE f.n IN (SELECT value FROM json_each(?))`, []any{sqlite.List(equal)}, func(r *sqlite.Row) error {
		places[r.Int64()] = place{r.Int(), r.Text()}
		return nil
	})
	slices.SortStableFunc(order, func(a, b int64) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(places[b].held, places[a].held), strings.Compare(places[a].path, places[b].path))
	})
	return err
}

// rankRows returns the page of rowids in the given order, and notes their scores. The
// join with memories comes later, so that only a page of rows is joined.
func rankRows(t *tx, matching, by string, args []any, scores map[int64]float64) ([]int64, error) {
	return readRanked(t, `SELECT rowid, -rank `+matching+` ORDER BY `+by+` LIMIT +? OFFSET +?`, args, scores)
}

func readRanked(t *tx, query string, args []any, scores map[int64]float64) ([]int64, error) {
	return sqlite.All(t.Tx, query, args, func(r *sqlite.Row) int64 {
		n := r.Int64()
		scores[n] = r.Float()
		return n
	})
}
