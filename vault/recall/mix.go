package recall

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Mixed is a memory with the scores of the legs that found it.
type Mixed struct {
	ID      vault.ID
	Lexical float64 // 0 when its words did not find it
	Vector  float64 // the other leg's cosine; 0 when that did not find it
	Score   float64
}

// Mix adds the scores of two legs, each best first, weight times that of the
// second; the best lexical score counts as 1. Scores are mixed and not ranks: a
// weak leg then moves little, while ranks of equal weight made the answer worse
// by up to 11 points of recall at 5. What the second leg alone found has to be at
// least floor near.
func Mix(lexical, vector []Scored, weight, floor float64) []Mixed {
	var best float64
	for _, s := range lexical {
		best = max(best, s.Score)
	}
	at := make(map[vault.ID]int, len(lexical)+len(vector))
	all := make([]Mixed, 0, len(lexical)+len(vector))
	for _, s := range lexical {
		at[s.ID] = len(all)
		all = append(all, Mixed{ID: s.ID, Lexical: s.Score, Score: s.Score / best})
	}
	for _, s := range vector {
		i, found := at[s.ID]
		if !found && s.Score < floor {
			continue
		}
		if !found {
			i = len(all)
			all = append(all, Mixed{ID: s.ID})
		}
		all[i].Vector = s.Score
		all[i].Score += weight * max(s.Score, 0)
	}
	slices.SortStableFunc(all, func(a, b Mixed) int { return cmp.Compare(b.Score, a.Score) })
	return all
}
