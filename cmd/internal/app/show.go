package app

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// FitShown reads a memory within the budget of o: pointers before texts. Where the pointers alone
// are too much, the last of them are left out, and m.Total tells how many there are. The
// reading counts once. Without a budget it is read whole.
func FitShown(o tree.Show, read func(tree.Show) (tree.Shown, error), cost func(tree.Shown) int) (m tree.Shown, err error) {
	budget := o.Budget
	if budget <= 0 {
		return read(o)
	}
	m, err = FitWithin(budget, RoomFor(budget), func(size int) (tree.Shown, error) {
		o.Budget = size
		m, err := read(o)
		o.Quiet = true
		return m, err
	}, cost)
	if m.ID == "" || vault.CodeOf(err) != vault.CodeInvalid {
		return m, err
	}
	o.Budget = 1
	if m, err = read(o); err != nil {
		return m, err
	}
	all := m.Children
	return FitWithin(budget, len(all)+1, func(size int) (tree.Shown, error) {
		m.Children, m.LeftOut, m.Total = all[:size-1], nil, max(m.Total, len(all))
		return m, nil
	}, cost)
}
