package app

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// Primed is what an agent loads at its start.
type Primed struct {
	tree.Primed
	Journal *journal.Tally `json:"journal,omitempty"` // where there are entries
	Stale   int            `json:"stale,omitempty"`   // memories about code that has changed
}

// Prime returns the top of the tree, and begins with what the journal holds. All of it takes
// no more than the budget.
func (s *Session) Prime(ctx context.Context, o tree.Prime) (p Primed, err error) {
	if err := s.View(ctx, vault.Scope{Shallow: true}, func(vault.Tree) error {
		t, err := s.Tallies.Tally(ctx)
		if len(t.Entries) > 0 && s.Vault.Part == "" { // the count is of the whole vault
			p.Journal = &t
		}
		return err
	}); err != nil {
		return p, err
	}
	p.Stale = s.CountStale(ctx)
	cost := vault.Tokens(StaleLine(p.Stale))
	if p.Journal != nil && o.Budget >= 0 {
		cost += vault.Tokens(p.Journal.SummaryLine())
	}
	if o.Budget == 0 {
		o.Budget = tree.PrimeBudget
	}
	if cost > o.Budget/4 {
		cost, p.Journal, p.Stale = 0, nil, 0
	}
	o.Budget -= cost
	p.Primed, err = o.Read(ctx, s.Vault)
	p.Tokens += cost
	return p, err
}
