package query

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/recall"
)

// weights are those of the columns of docs, as schema.sql gives them to bm25().
const weights = ", 10.0, 5.0, 3.0, 3.0, 1.0, 1.0"

// SumsOf returns the statistics of this table for terms.
func SumsOf(t *sqlite.Tx, terms []string) (*family.Sums, error) {
	totals, err := RankTotals(t)
	if err != nil {
		return nil, err
	}
	s := &family.Sums{Rows: int64(totals[0]), With: make(map[string]int64, len(terms))}
	for _, n := range totals[1:] {
		s.Terms += int64(n)
	}
	for _, term := range terms {
		var with int64
		in := `SELECT doc FROM terms WHERE term = ?`
		if text.IsForm(term) {
			in = `SELECT doc FROM form_terms WHERE term = ?`
		}
		if _, err := t.Maybe(in, []any{term}, &with); err != nil {
			return nil, err
		}
		s.With[term] = with
	}
	return s, nil
}

// RaritiesOf weighs terms by the number of rows that hold them: ln(1 + (N - n + ½) / (n + ½)).
// A term that no row holds weighs nothing.
func RaritiesOf(terms []string, s *family.Sums) []recall.Term {
	all := make([]recall.Term, len(terms))
	for i, term := range terms {
		all[i].Text = term
		if n := float64(s.With[term]); n > 0 {
			all[i].Rarity = math.Log1p(max(float64(s.Rows)-n+.5, 0) / (n + .5))
		}
	}
	return all
}

// TextQuery is a full-text query for the rows with any of some terms.
type TextQuery struct {
	match, rank string
	forms       string       // other forms of the words with their weights, as JSON; "" for none
	called      string       // words and forms that memories are called by, likewise
	least       float64      // of the forms a row has to have where it has no word
	sums        *family.Sums // that its terms are weighed by, if they were asked for
}

// AnyTerm returns the query for rows with any of the terms, ranked by this table alone.
func AnyTerm(terms []string) TextQuery {
	return TextQuery{match: `"` + strings.Join(terms, `" OR "`) + `"`}
}

// RankedQuery returns the query for rows with any of the words, or with enough of their forms,
// ranked by the sums that the options have, else by those of the place that they name, of a memory
// or a folder, else by those of this table.
func RankedQuery(t *sqlite.Tx, asked AskedQuestion, o vault.ListOptions) (q TextQuery, err error) {
	s, err := by(t, asked.Terms(), o)
	if err != nil {
		return q, err
	}
	words := heldWords(asked.IndexWords(), s)
	q = AnyTerm(words)
	q.sums = s
	anchors, err := HasAnchors(t, slices.Concat(words, asked.Forms))
	if err != nil {
		return q, err
	}
	if len(asked.Forms) > 0 || anchors {
		if q.sums == nil {
			if q.sums, err = SumsOf(t, asked.Terms()); err != nil {
				return q, err
			}
		}
		var rows [][3]any
		rows, q.least = asked.weighForms(q.sums)
		if q.forms = bindTerms(rows); anchors {
			q.called = bindTerms(weighNameTerms(words, rows, q.sums))
		}
	}
	if s == nil {
		return q, nil
	}
	var b strings.Builder
	b.WriteString("sums(" + strconv.FormatInt(s.Rows, 10) + ", " + strconv.FormatInt(s.Terms, 10) + weights)
	for _, term := range words {
		b.WriteString(", " + strconv.FormatInt(s.With[term], 10))
	}
	b.WriteString(")")
	q.rank = b.String()
	return q, t.One(`SELECT sums_ready()`, nil, new(int))
}

// heldWords returns the words that some row has by the sums, all where none has any. A row that is
// not summed up would else stand before the others by a word that only such rows have.
func heldWords(words []string, s *family.Sums) []string {
	if s == nil {
		return words
	}
	some := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return s.With[word] == 0 })
	if len(some) == 0 {
		return words
	}
	return some
}

// From is the clause for the rows of docs that match. By it, rank is their score.
func (q TextQuery) From() string {
	if q.forms == "" && q.called == "" {
		return `FROM ` + q.wordsClause()
	}
	from := strings.Replace(together, "WORDS", q.wordsClause(), 1)
	if q.forms != "" {
		from += byForms
	}
	if q.called != "" {
		from += byAnchors
	}
	return from + added
}

func (q TextQuery) wordsClause() string {
	if q.rank == "" {
		return `docs WHERE docs MATCH ?`
	}
	return `docs WHERE docs MATCH ? AND rank MATCH ?`
}

// Args returns the arguments of From, and then more.
func (q TextQuery) Args(more ...any) []any {
	args := []any{q.match}
	if q.rank != "" {
		args = append(args, q.rank)
	}
	if q.forms != "" {
		args = append(args, q.least, q.forms)
	}
	if q.called != "" {
		args = append(args, weightAnchors, q.least, q.called)
	}
	return append(args, more...)
}

// WithoutRank is the query for the same rows without a ranking.
func (q TextQuery) WithoutRank() TextQuery {
	q.rank = ""
	return q
}
