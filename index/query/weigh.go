package query

import (
	"math"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/family"
)

// Saturation and length of BM25, and the length in terms of a usual phrase.
const (
	weighK      = 1.2
	weighB      = 0.5
	usualPhrase = 12
)

// WeighRarity tells of each phrase how much of the question it takes up: the BM25
// score of its terms against how rare they are in the vault, from 0, nothing,
// to 1, all of it. The question counts with its first terms, at most limit of them. How rare
// they are is what sums say; nil are those of this vault alone.
func WeighRarity(t *sqlite.Tx, question string, phrases []string, limit int, sums *family.Sums) ([]float64, error) {
	terms := text.NewAnalyser()
	asked := terms.Query(question, limit)
	weights := make([]float64, len(phrases))
	if len(asked) == 0 {
		return weights, nil
	}
	if sums == nil {
		var err error
		if sums, err = countRows(t, asked); err != nil {
			return nil, err
		}
	}
	rare := rarity(asked, sums)
	all := 0.0
	for _, term := range asked { // in their order: sums of the same numbers differ by their order
		all += rare[term]
	}
	w := weigher{terms: terms, rare: rare, last: make(map[string]int, len(asked))}
	for i, phrase := range phrases {
		weights[i] = w.weigh(phrase) / all
	}
	return weights, nil
}

// weigher weighs one phrase after the other. It allocates nothing for each: there may be one of
// every memory.
type weigher struct {
	terms *text.Analyser
	rare  map[string]float64
	last  map[string]int // the phrase in which a term was met last
	n     int            // phrases so far
}

// weigh is the BM25 score of a phrase, each term counted once.
func (w *weigher) weigh(phrase string) float64 {
	w.n++
	length, score := 0, 0.0
	w.terms.EachTerm(phrase, func(term string) {
		length++
		if r := w.rare[term]; r > 0 && w.last[term] != w.n {
			w.last[term] = w.n
			score += r
		}
	})
	longer := 1 - weighB + weighB*float64(length)/usualPhrase
	return score * (weighK + 1) / (1 + weighK*max(longer, 1))
}

// countRows counts the rows in all, and with each term.
func countRows(t *sqlite.Tx, terms []string) (*family.Sums, error) {
	totals, err := RankTotals(t)
	s := &family.Sums{Rows: int64(totals[0]), With: make(map[string]int64, len(terms))}
	for _, term := range terms {
		var with int64
		if err == nil {
			err = t.One(`SELECT count(*) FROM docs WHERE docs MATCH ?`, []any{`"` + term + `"`}, &with)
		}
		s.With[term] = with
	}
	return s, err
}

// rarity returns the inverse document frequency of terms by BM25's formula, never 0.
func rarity(terms []string, s *family.Sums) map[string]float64 {
	all, rare := float64(s.Rows), make(map[string]float64, len(terms))
	for _, term := range terms {
		with := float64(s.With[term])
		rare[term] = math.Log(1 + (all-with+0.5)/(with+0.5))
	}
	return rare
}
