package index

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/analyse"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// DB is the lexical half of recall.
var _ recall.Lexicon = (*DB)(nil)

// Candidates returns the memories that hold any of the query's terms, ranked as
// Search ranks them, and how rare the terms are.
func (d *DB) Candidates(ctx context.Context, query string, o vault.ListOptions) (recall.Candidates, error) {
	var out recall.Candidates
	terms := analyse.New().Query(query, maxTerms+1)
	if out.Cut = len(terms) > maxTerms; out.Cut {
		terms = terms[:maxTerms]
	}
	if len(terms) == 0 {
		return out, nil
	}
	err := d.view(ctx, func(t *tx) (err error) {
		if out.Terms, err = t.rarities(terms); err != nil {
			return err
		}
		out.Hits, err = t.candidates(matchAny(terms), filterOf(o, d.opt.Now()), o)
		return err
	})
	return out, err
}

// matchAny is the full-text query for rows with any of the terms.
func matchAny(terms []string) string { return `"` + strings.Join(terms, `" OR "`) + `"` }

// rarities weighs the terms by the number of rows they are in: ln(1 + (N - n + ½) / (n + ½)).
func (t *tx) rarities(terms []string) ([]recall.Term, error) {
	totals, err := t.totals()
	if err != nil {
		return nil, err
	}
	rows := float64(totals[0])
	out := make([]recall.Term, len(terms))
	for i, term := range terms {
		var n float64
		out[i].Text = term
		found, err := t.Maybe(`SELECT doc FROM terms WHERE term = ?`, []any{term}, &n)
		if err != nil {
			return nil, err
		}
		if found && n > 0 {
			out[i].Rarity = math.Log1p(max(rows-n+.5, 0) / (n + .5))
		}
	}
	return out, nil
}

// candidates ranks first and filters afterwards, which costs little where most
// memories pass; where too few of the best did, the filter goes first.
func (t *tx) candidates(match string, f filter, o vault.ListOptions) ([]vault.Hit, error) {
	limit, _ := page(o)
	best := make(map[int64]float64)
	order, err := t.top(match, 2*limit, best)
	if err != nil {
		return nil, err
	}
	passed, err := t.passing(f, order)
	if err != nil {
		return nil, err
	}
	if len(passed) < limit && len(order) == 2*limit {
		args := append(append([]any{match}, f.args...), limit, 0)
		if passed, err = rank(t, f.matching(false), byRank, args, best); err != nil {
			return nil, err
		}
	}
	rows, err := t.rowsIn(passed[:min(len(passed), limit)])
	hits := make([]vault.Hit, len(rows))
	for i, r := range rows {
		hits[i] = vault.Hit{Node: r.Node, Score: best[r.n]}
	}
	return hits, err
}

// passing returns those of the rows that pass the filter, in their order.
func (t *tx) passing(f filter, order []int64) ([]int64, error) {
	passing, err := sqlite.All(t.Tx, `SELECT m.n FROM json_each(?) j CROSS JOIN memories m ON m.n = j.value `+f.where(),
		append([]any{sqlite.List(order)}, f.args...), (*sqlite.Row).Int64)
	passes := make(map[int64]bool, len(passing))
	for _, n := range passing {
		passes[n] = true
	}
	return slices.DeleteFunc(slices.Clone(order), func(n int64) bool { return !passes[n] }), err
}

// Analyser returns a function that cuts texts into the index's terms.
func (d *DB) Analyser() func(text string, emit func(term string)) { return analyse.New().Each }

// Labels returns the labels in use, in order.
func (d *DB) Labels(ctx context.Context) ([]string, error) {
	return ask(ctx, d, func(t *tx) ([]string, error) {
		return sqlite.All(t.Tx, `WITH RECURSIVE used(label) AS (
				SELECT min(label) FROM labels
				UNION ALL
				SELECT (SELECT min(label) FROM labels WHERE label > used.label) FROM used WHERE used.label IS NOT NULL
			) SELECT label FROM used WHERE label IS NOT NULL`, nil, (*sqlite.Row).Text)
	})
}
