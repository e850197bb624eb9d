package recall

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cp-memory/cp/vault"
)

// Bodies are texts without titles, phrases and links, that are searched in memory as recall
// searches by words. It is not safe for concurrent use.
type Bodies struct {
	texts   []string
	analyse Analyse
	size    []int              // how many terms a text has
	holding map[string][]holds // the texts that hold a term, in order
	usual   float64            // the mean of size
}

// holds says how often a text holds a term.
type holds struct{ text, times int }

// NewBodies makes texts searchable.
func NewBodies(texts []string, analyse Analyse) *Bodies {
	b := &Bodies{texts: texts, analyse: analyse, size: make([]int, len(texts)), holding: make(map[string][]holds)}
	for i, text := range texts {
		analyse(text, func(term string) {
			b.size[i]++
			all := b.holding[term]
			if n := len(all); n > 0 && all[n-1].text == i {
				all[n-1].times++
				return
			}
			b.holding[term] = append(all, holds{i, 1})
		})
		b.usual += float64(b.size[i]) / float64(len(texts))
	}
	return b
}

// RankTexts returns the texts that hold a term of a query, the best first, at most as many as
// recall reads. terms are those of [Candidates]. Each text is named by its number from 0, in
// decimal.
func (b *Bodies) RankTexts(terms []Term) []Scored {
	s, all := newScorer(weighNamesOnce(terms), b.analyse), b.document(newScorer(terms, b.analyse))
	for i := range all {
		at, _ := strconv.Atoi(string(all[i].ID))
		found := s.score(&vault.Memory{Prose: b.texts[at]}, about{document: all[i].Score})
		all[i].Score = found.sumParts()
	}
	byScore(all)
	return all
}

// document returns the candidates by BM25 of the whole texts.
func (b *Bodies) document(s *scorer) []Scored {
	counts := make(map[int][]float64)
	for i, t := range s.terms {
		for _, h := range b.holding[t.Text] {
			if counts[h.text] == nil {
				counts[h.text] = make([]float64, len(s.terms))
			}
			counts[h.text][i] = float64(h.times)
		}
	}
	all := make([]Scored, 0, len(counts))
	for i, c := range counts {
		all = append(all, Scored{ID: vault.ID(strconv.Itoa(i)), Score: s.bm25(c, b.size[i], b.usual, bText)})
	}
	byScore(all)
	return all[:min(len(all), candidates)]
}

// byScore puts the best first; equal ones are in the order of their names.
func byScore(all []Scored) {
	slices.SortFunc(all, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
}
