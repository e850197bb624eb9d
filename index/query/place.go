package query

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/recall"
)

// by returns the sums by which the rows are ranked that the options choose: those that they have,
// or those of the place that they name. What is asked for below a memory, or in a folder, is
// ranked as if nothing else were there: a word that all its rows have says nothing there. nil are
// those of the whole table.
func by(t *sqlite.Tx, terms []string, o vault.ListOptions) (*family.Sums, error) {
	if _, placed := PlaceFilter(o); o.Sums != nil || !placed {
		return o.Sums, nil
	}
	return SumsWithin(t, terms, o)
}

// SumsWithin returns the statistics for terms of the place that the options name, or of the whole table.
// Texts there count as long as those of the table are. What no text there has, but a link to one
// of them, counts as if one had it.
func SumsWithin(t *sqlite.Tx, terms []string, o vault.ListOptions) (*family.Sums, error) {
	whole, err := SumsOf(t, terms)
	place, placed := PlaceFilter(o)
	if err != nil || !placed {
		return whole, err
	}
	s := &family.Sums{With: make(map[string]int64, len(terms))}
	words, forms := []string{}, []string{}
	for _, term := range terms {
		s.With[term] = 0
		switch {
		case whole.With[term] == 0:
		case text.IsForm(term):
			forms = append(forms, term)
		default:
			words = append(words, term)
		}
	}
	args := append(place.Args, sqlite.List(words), sqlite.List(forms), sqlite.List(slices.Concat(words, forms)))
	err = t.Each(strings.Replace(countedRow, "PLACE", place.Where(), 1), args, func(r *sqlite.Row) error {
		if term, n := r.Text(), r.Int64(); term == "" {
			s.Rows = n
		} else {
			s.With[term] = max(s.With[term], n)
		}
		return nil
	})
	s.Terms = whole.Terms * s.Rows / max(whole.Rows, 1)
	return s, err
}

// countedRow counts the rows of a place, those with each of some words, those with each of some
// forms, and 1 for each term that a link calls one of them by.
const countedRow = `WITH place AS MATERIALIZED (SELECT m.n AS n FROM memories m PLACE)
	SELECT '', count(*) FROM place
	UNION ALL
	SELECT j.value, (SELECT count(*) FROM docs WHERE docs MATCH '"' || j.value || '"' AND +rowid IN (SELECT n FROM place)) FROM json_each(?) j
	UNION ALL
	SELECT j.value, (SELECT count(DISTINCT v.doc) FROM form_rows v WHERE v.term = j.value AND v.doc IN (SELECT n FROM place)) FROM json_each(?) j
	UNION ALL
	SELECT DISTINCT j.value, 1 FROM json_each(?) j CROSS JOIN anchor_rows v ON v.term = j.value WHERE v.doc IN (SELECT n FROM place)`

// Terms weighs the words of the question by what the rows are ranked by.
func (q TextQuery) Terms(t *sqlite.Tx, asked AskedQuestion) (_ []recall.Term, err error) {
	s, words := q.sums, asked.IndexWords()
	if s == nil {
		if s, err = SumsOf(t, words); err != nil {
			return nil, err
		}
	}
	all := RaritiesOf(words, s)
	for i := range all {
		all[i].Parts = asked.Words[i].Parts
	}
	return all, nil
}
