package app

import "github.com/cp-memory/cp/vault"

// leastTree is the least budget of one tree among several, in tokens.
const leastTree = 40

// FitTrees returns trees that cost at most budget tokens. make makes all of them, each within a
// budget of its own estimates. Where that is too much for all, each gets less, and then the last
// ones are left out. Where not even the first one fits, the error is CodeInvalid. A budget of 0
// takes any.
func FitTrees[V any](budget int, make func(size int) ([]V, error), cost func([]V) int) (views, leftOut []V, err error) {
	if budget <= 0 {
		views, err = make(0)
		return views, nil, err
	}
	views, err = FitWithin(budget, RoomFor(budget), func(size int) ([]V, error) { return make(leastTree + size) }, cost)
	if vault.CodeOf(err) != vault.CodeInvalid || len(views) == 0 {
		return views, nil, err
	}
	if views, err = make(leastTree); err != nil {
		return nil, nil, err
	}
	for n := len(views); n > 0; n-- {
		if cost(views[:n]) <= budget {
			return views[:n], views[n:], nil
		}
	}
	leftOut = views[min(1, len(views)):]
	views, err = FitWithin(budget, leastTree, func(size int) ([]V, error) {
		all, err := make(size)
		return all[:min(1, len(all))], err
	}, cost)
	return views, leftOut, err
}
