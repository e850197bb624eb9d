package queue

import (
	"context"

	"github.com/cp-memory/cp/vault/journal"
)

// staleCopies returns the copies in agents' files of this clone that are old, edited or missing. The
// decision stands in a commit, the files do not: a clone that has none yet is offered them.
func (r *One) staleCopies(ctx context.Context) (all []journal.AgentsCopy, err error) {
	found, err := r.s.Tallies.Core(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range found {
		names, err := r.s.StaleTargets(ctx, id)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			all = append(all, journal.AgentsCopy{ID: id, Targets: names})
		}
	}
	return all, err
}
