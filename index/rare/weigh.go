package rare

import (
	"math"
	"strings"

	"github.com/cp-memory/cp/index/analyse"
	"github.com/cp-memory/cp/index/docs"
	"github.com/cp-memory/cp/index/sqlite"
)

// Saturation and length of BM25, and the length in terms of a usual phrase.
const (
	weighK      = 1.2
	weighB      = 0.5
	usualPhrase = 12
)

// Weigh tells of each phrase how much of the question it takes up: the BM25
// score of its terms against how rare they are in the vault, from 0, nothing,
// to 1, all of it. The question counts with its first terms, at most limit of them.
func Weigh(t *sqlite.Tx, question string, phrases []string, limit int) ([]float64, error) {
	terms := analyse.New()
	asked := terms.Query(question, limit)
	weights := make([]float64, len(phrases))
	if len(asked) == 0 {
		return weights, nil
	}
	rare, err := rarity(t, asked)
	if err != nil {
		return nil, err
	}
	all := 0.0
	for _, term := range asked { // in their order: sums of the same numbers differ by their order
		all += rare[term]
	}
	for i, phrase := range phrases {
		weights[i] = weigh(rare, strings.Fields(terms.Text(phrase))) / all
	}
	return weights, nil
}

// weigh is the BM25 score of a phrase, each term counted once.
func weigh(rare map[string]float64, phrase []string) float64 {
	longer := 1 - weighB + weighB*float64(len(phrase))/usualPhrase
	seen := map[string]bool{}
	score := 0.0
	for _, term := range phrase {
		if r := rare[term]; r > 0 && !seen[term] {
			seen[term] = true
			score += r * (weighK + 1) / (1 + weighK*max(longer, 1))
		}
	}
	return score
}

// rarity returns the inverse document frequency of terms by BM25's formula, never 0.
func rarity(t *sqlite.Tx, terms []string) (map[string]float64, error) {
	totals, err := docs.Totals(t)
	all, rare := float64(totals[0]), make(map[string]float64, len(terms))
	for _, term := range terms {
		var with float64
		if err == nil {
			err = t.One(`SELECT count(*) FROM docs WHERE docs MATCH ?`, []any{`"` + term + `"`}, &with)
		}
		rare[term] = math.Log(1 + (all-with+0.5)/(with+0.5))
	}
	return rare, err
}
