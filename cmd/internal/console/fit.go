package console

import (
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// fits bounds how often an answer is made anew for a budget.
const fits = 10

// Fit returns the largest answer that was found whose printed form is within a budget of
// tokens; a budget of 0 takes any. within makes an answer of a size from 1 to most, such as
// a budget of its own estimates, which know nothing of the form; it is asked again with
// another size as long as what is printed is too much, or much too little. Where not even
// the smallest answer fits it comes with the error, which is CodeInvalid.
func Fit[R any](f Console, budget, most int, within func(size int) (R, error), print func(R) (v any, text func(render.Screen))) (best R, err error) {
	if budget <= 0 {
		return within(most)
	}
	low, high, size, least := 0, most+1, most, 0
	for n := 0; n < fits && (low == 0 || high-low > 1+most/20); n++ {
		r, err := within(size)
		if err != nil {
			return r, err
		}
		printed := f.Measure(print(r))
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
		return best, vault.Errorf(vault.CodeInvalid, fmt.Sprintf("use --budget %d", least), "the budget of %d tokens is too small for any of it", budget)
	}
	return best, nil
}
