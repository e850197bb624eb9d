package scoring

import (
	"slices"

	"github.com/cp-memory/cp/index/filter"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/index/tongue"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/recall"
)

// by returns the sums by which the rows are ranked that the options choose: those that they have,
// or those of the place that they name. What is asked for below a memory, or in a folder, is
// ranked as if nothing else were there: a word that all its rows have says nothing there. nil are
// those of the whole table.
func by(t *sqlite.Tx, terms []string, o vault.ListOptions) (*family.Sums, error) {
	if _, placed := filter.Place(o); o.Sums != nil || !placed {
		return o.Sums, nil
	}
	return In(t, terms, o)
}

// In returns the statistics for terms of the place that the options name, or of the whole table.
// Texts there count as long as those of the table are.
func In(t *sqlite.Tx, terms []string, o vault.ListOptions) (*family.Sums, error) {
	whole, err := Of(t, terms)
	f, placed := filter.Place(o)
	if err != nil || !placed {
		return whole, err
	}
	p := place{t, `WITH place AS MATERIALIZED (SELECT m.n AS n FROM memories m ` + f.Where() + `) `, f.Args,
		&family.Sums{With: make(map[string]int64, len(terms))}}
	if err := t.One(p.with+`SELECT count(*) FROM place`, p.args, &p.sums.Rows); err != nil {
		return nil, err
	}
	p.sums.Terms = whole.Terms * p.sums.Rows / max(whole.Rows, 1)
	var words, forms []string
	for _, term := range terms {
		p.sums.With[term] = 0
		switch {
		case whole.With[term] == 0:
		case tongue.IsForm(term):
			forms = append(forms, term)
		default:
			words = append(words, term)
		}
	}
	p.count(`SELECT j.value, (SELECT count(*) FROM docs WHERE docs MATCH '"' || j.value || '"' AND +rowid IN (SELECT n FROM place)) FROM json_each(?) j`, words)
	p.count(`SELECT j.value, (SELECT count(DISTINCT v.doc) FROM form_rows v WHERE v.term = j.value AND v.doc IN (SELECT n FROM place)) FROM json_each(?) j`, forms)
	// What no text there has, but a link to one of them, counts as if one had it.
	p.count(`SELECT DISTINCT j.value, 1 FROM json_each(?) j CROSS JOIN anchor_rows v ON v.term = j.value WHERE v.doc IN (SELECT n FROM place)`, p.none(words, forms))
	return p.sums, t.Err()
}

// place counts what the rows of a place have.
type place struct {
	*sqlite.Tx
	with string // the clause that selects them
	args []any  // its arguments
	sums *family.Sums
}

// count takes numbers of rows from a query for terms.
func (p *place) count(query string, terms []string) {
	_ = p.Each(p.with+query, append(slices.Clone(p.args), sqlite.List(terms)), func(r *sqlite.Row) error {
		p.sums.With[r.Text()] = r.Int64()
		return nil
	})
}

// none returns the terms that no row has.
func (p *place) none(terms ...[]string) []string {
	return slices.DeleteFunc(slices.Concat(terms...), func(term string) bool { return p.sums.With[term] > 0 })
}

// Terms weighs the words of the question by what the rows are ranked by.
func (q Query) Terms(t *sqlite.Tx, words []string) ([]recall.Term, error) {
	if q.sums != nil {
		return Rarities(words, q.sums), nil
	}
	s, err := Of(t, words)
	if err != nil {
		return nil, err
	}
	return Rarities(words, s), nil
}
