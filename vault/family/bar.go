package family

import (
	"math"
	"slices"
	"sync"
)

// Bar is the score that a memory needs to be among the best of several vaults that are asked
// side by side, as far as they have answered. It only rises, so what lies below it once is not
// among the best, whatever the others have. A nil bar stops nothing.
type Bar struct {
	mu   sync.Mutex
	most int
	best []float64 // at most so many scores, the least first
}

// NewBar returns the bar of the best most memories.
func NewBar(most int) *Bar { return &Bar{most: most} }

// Raise adds what one vault found. Each of its memories may be told once.
func (b *Bar) Raise(scores []float64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.best = append(b.best, scores...)
	slices.Sort(b.best)
	b.best = slices.Delete(b.best, 0, max(len(b.best)-b.most, 0))
}

// Keep adds what one vault found, by its scores, and returns what may be among the best now.
func (b *Bar) Keep(found []int64, scores map[int64]float64) []int64 {
	if b == nil {
		return found
	}
	all := make([]float64, len(found))
	for i, n := range found {
		all[i] = scores[n]
	}
	b.Raise(all)
	least := b.Score()
	return slices.DeleteFunc(found, func(n int64) bool { return scores[n] < least })
}

// Score returns the least score that may still be among the best. Who has it may be: of equal
// ones something else decides.
func (b *Bar) Score() float64 {
	if b == nil {
		return math.Inf(-1)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.best) < b.most {
		return math.Inf(-1)
	}
	return b.best[0]
}
