package about

import (
	"cmp"

	"github.com/cp-memory/cp/vault"
)

// Reason says in words why a binding is neither current nor loud.
func Reason(b vault.BindingState) string {
	switch b.State {
	case vault.CodeAhead:
		return "this branch does not have that code yet"
	case vault.CodeUnchecked:
		return "nobody has confirmed it"
	}
	return cmp.Or(b.Why, b.State)
}
