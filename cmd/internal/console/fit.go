package console

import (
	"github.com/cp-memory/cp/cmd/internal/fit"
	"github.com/cp-memory/cp/cmd/internal/render"
)

// Fit is [fit.Within] with what is printed as the cost; a budget of 0 takes any.
func Fit[R any](f Console, budget, most int, within func(size int) (R, error), print func(R) (v any, text func(render.Screen))) (best R, err error) {
	if budget <= 0 {
		return within(most)
	}
	return fit.Within(budget, most, within, func(r R) int { return f.Measure(print(r)) })
}

// FitTrees is [fit.Trees], likewise.
func FitTrees[V any](f Console, budget int, within func(size int) ([]V, error), print func([]V) (v any, text func(render.Screen))) (views, leftOut []V, err error) {
	if budget <= 0 {
		views, err = within(0)
		return views, nil, err
	}
	return fit.Trees(budget, within, func(all []V) int { return f.Measure(print(all)) })
}
