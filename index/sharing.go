package index

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/index/analyse"
	"github.com/cp-memory/cp/vault"
)

// Bounds of Sharing: how many terms of a text are weighed, how many of them are
// looked for, and how many rows those may be in together.
const (
	weighedTerms = 24
	sharedTerms  = 5
	sharedRows   = 500
)

// Sharing returns the memories, open ones or not, that share the rarest terms of
// a text with it, at most limit of them, without telemetry.
func (d *DB) Sharing(ctx context.Context, text string, limit int) ([]vault.Node, error) {
	return ask(ctx, d, func(t *tx) (nodes []vault.Node, err error) {
		terms, err := t.rarest(analyse.New().Query(text, weighedTerms))
		if err != nil || len(terms) == 0 {
			return nil, err
		}
		order, err := t.top(matchAny(terms), limit, make(map[int64]float64))
		if err != nil {
			return nil, err
		}
		rows, err := t.rowsIn(order)
		for _, r := range rows {
			nodes = append(nodes, r.Node)
		}
		return nodes, err
	})
}

// rarest returns those of the terms that are in the fewest rows, but in two at
// least: the text itself is in the index already.
func (t *tx) rarest(terms []string) ([]string, error) {
	type known struct {
		term string
		rows int
	}
	var all []known
	for _, term := range terms {
		k := known{term: term}
		found, err := t.Maybe(`SELECT doc FROM terms WHERE term = ?`, []any{term}, &k.rows)
		if err != nil {
			return nil, err
		}
		if found && k.rows > 1 {
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b known) int { return cmp.Compare(a.rows, b.rows) })
	var out []string
	rows := 0
	for _, k := range all[:min(len(all), sharedTerms)] {
		if rows += k.rows; rows > sharedRows && len(out) > 0 {
			break
		}
		out = append(out, k.term)
	}
	return out, nil
}
