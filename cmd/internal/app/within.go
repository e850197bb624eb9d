package app

import (
	"fmt"

	"github.com/cp-memory/cp/vault"
)

// tries bounds how often an answer is made anew for a budget.
const tries = 10

// RoomFor is the size to begin with where an answer is made by estimates of tokens: these may be
// twice of what is printed.
func RoomFor(budget int) int { return 2 * budget }

// FitWithin returns the largest answer that was found which costs at most budget tokens. make makes
// an answer of a size from 1 to most, such as a budget of its own estimates, which know nothing
// of the form; it is asked again with another size as long as the answer costs too much, or much
// too little. Where not even the smallest one fits it comes with the error, which is CodeInvalid.
// A budget of 0 takes any.
func FitWithin[R any](budget, most int, make func(size int) (R, error), cost func(R) int) (best R, err error) {
	if budget <= 0 {
		return make(most)
	}
	low, high, size, least := 0, most+1, most, 0
	for n := 0; n < tries && (low == 0 || high-low > 1+low/20); n++ {
		r, err := make(size)
		if err != nil {
			return r, err
		}
		printed := cost(r)
		if printed <= budget {
			if best, low = r, size; high > most {
				return best, nil
			}
			size = (low + high) / 2
			continue
		}
		if high = size; low > 0 {
			size = (low + high) / 2
			continue
		}
		best, least = r, printed
		if size <= 1 {
			break
		}
		size = max(min(size/2, size*2*budget/printed), 1)
	}
	if low == 0 {
		return best, BudgetTooSmall(budget, least)
	}
	return best, nil
}

// BudgetTooSmall says that not even the least answer fits a budget, and what it costs.
func BudgetTooSmall(budget, least int) error {
	return vault.Errorf(vault.CodeInvalid, fmt.Sprintf("use --budget %d", least), "the budget of %d tokens is too small for any of it", budget)
}
