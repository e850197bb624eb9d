package index

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// DB is the lexical half of recall.
var _ recall.Lexicon = (*DB)(nil)

// Candidates returns the memories that hold any of the query's terms, ranked as
// Search ranks them, and how rare the terms are.
func (d *DB) Candidates(ctx context.Context, question string, o vault.ListOptions) (recall.Candidates, error) {
	var out recall.Candidates
	asked := query.ParseQuestion(question, maxTerms+1)
	if out.Cut = len(asked.Words) > maxTerms; out.Cut {
		asked.Words = asked.Words[:maxTerms]
	}
	if len(asked.Words) == 0 {
		return out, nil
	}
	if err := d.traceFor(ctx, o); err != nil {
		return out, err
	}
	o.Found = true
	limit, _ := pageLimits(o)
	best := make(map[int64]float64)
	var called map[int64][]string
	rows, err := askSnapshot(ctx, d, func(t *tx) (rows []*row, err error) {
		match, err := query.RankedQuery(t.Tx, asked, o)
		if err != nil {
			return nil, err
		}
		if out.Terms, err = match.Terms(t.Tx, asked); err != nil {
			return nil, err
		}
		filter := query.NewFilter(o, d.opt.Now())
		order, err := []int64(nil), error(nil)
		if o.Hidden {
			order, err = t.bestOfFew(match, filter, limit, best)
		} else {
			order, err = t.best(match, filter, limit, 0, false, o.Bar, best)
		}
		if err != nil {
			return nil, err
		}
		order = o.Bar.Keep(order, best)
		if called, err = query.AnchorsOf(t.Tx, order); err != nil {
			return nil, err
		}
		return t.rowsByNumber(order, o)
	})
	out.Hits = make([]vault.Hit, len(rows))
	for i, r := range rows {
		out.Hits[i] = vault.Hit{Node: r.Node, Score: best[r.n], Called: called[r.n]}
	}
	return out, err
}

// Sums returns the statistics for the terms of a text, of the place that the options name.
func (d *DB) Sums(ctx context.Context, text string, o vault.ListOptions) (*family.Sums, error) {
	all := query.ParseQuestion(text, maxTerms).Terms()
	return askSnapshot(ctx, d, func(t *tx) (*family.Sums, error) {
		s, err := query.SumsWithin(t.Tx, all, o)
		if err == nil && s.Nothing() {
			s.Called, err = query.HasAnchors(t.Tx, all)
		}
		return s, err
	})
}

// Analyser returns a function that cuts texts into the index's terms.
func (d *DB) Analyser() recall.Analyse { return d.words.EachTerm }

// Labels returns the labels in use, in order.
func (d *DB) Labels(ctx context.Context) ([]string, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]string, error) {
		return sqlite.All(t.Tx, `WITH RECURSIVE used(label) AS (
				SELECT min(label) FROM labels
				UNION ALL
				SELECT (SELECT min(label) FROM labels WHERE label > used.label) FROM used WHERE used.label IS NOT NULL
			) SELECT label FROM used WHERE label IS NOT NULL`, nil, (*sqlite.Row).Text)
	})
}

// Sharing returns the memories of the tree, open ones or not, that share the rarest terms of
// a text with it, at most limit of them, without telemetry. there says that the text itself
// is one of theirs. Entries of the journal are many, and would stand before all others.
func (d *DB) Sharing(ctx context.Context, text string, there bool, limit int) ([]vault.Node, error) {
	return askSnapshot(ctx, d, func(t *tx) (nodes []vault.Node, err error) {
		terms, err := d.rare.Terms(t.Tx, text, there)
		if err != nil || len(terms) == 0 {
			return nil, err
		}
		order, err := t.firstMatching(terms, limit)
		if err != nil {
			return nil, err
		}
		return nodesOf(t.rowsIn(order))
	})
}

func nodesOf(rows []*row, err error) (nodes []vault.Node, _ error) {
	for _, r := range rows {
		nodes = append(nodes, r.Node)
	}
	return nodes, err
}

// firstMatching returns the first matching rows of the tree, by rank and then by their paths. Only
// those are ranked, which costs as much as to find ten others. An expression orders them: by
// the bare rank, FTS5 would rank them all.
func (t *tx) firstMatching(terms []string, limit int) ([]int64, error) {
	scores := make(map[int64]float64)
	order, err := readRanked(t, `SELECT docs.rowid, -docs.rank AS score FROM docs CROSS JOIN memories m INDEXED BY memories_tree ON m.n = docs.rowid AND m.held = 2
		WHERE docs MATCH ? ORDER BY -docs.rank DESC, docs.rowid`, query.AnyTerm(terms).Args(), scores)
	if err != nil {
		return nil, err
	}
	if len(order) > limit {
		last := scores[order[limit-1]]
		order = slices.DeleteFunc(order, func(n int64) bool { return scores[n] < last })
	}
	err = t.untie(order, scores)
	return order[:min(limit, len(order))], err
}

// Saying returns the memories with a doc hash, without telemetry.
func (d *DB) Saying(ctx context.Context, hash string) ([]vault.Node, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]vault.Node, error) {
		return nodesOf(t.rows(`WHERE m.doc = ? ORDER BY f.path`, tree.HashNumber(hash)))
	})
}

// Weigh tells of each phrase how much of the question it takes up, see [query.WeighRarity].
func (d *DB) Weigh(ctx context.Context, question string, phrases []string, s *family.Sums) ([]float64, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]float64, error) { return query.WeighRarity(t.Tx, question, phrases, maxTerms, s) })
}
