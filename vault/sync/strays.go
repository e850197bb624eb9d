package sync

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// Facts follow their memory: to the id that a person has given it, to a copy that gets an id
// of its own, and away with it.

// succession is an id in the place of another one.
type succession struct {
	from, to vault.ID
	copy     bool // from stays with another file
}

// followFacts has the facts follow.
func (r *reconciler) followFacts() error {
	for _, s := range r.successions {
		done, err := graph.SucceedFacts(r.ctx, r.tx, s.from, s.to, s.copy)
		if err != nil {
			return err
		}
		if done {
			r.addDiscrepancy(Discrepancy{Type: StrayFacts, Child: s.to, Path: vault.FactsPath(s.to), Detail: "the facts of " + string(s.from)}, "they follow it to its new id")
		}
	}
	if r.only != nil || !r.out.Report.Complete {
		return nil
	}
	strays, err := graph.StrayFacts(r.ctx, r.tx)
	if err != nil {
		return err
	}
	var gone []vault.ID
	for _, id := range append(strays, r.deleted...) {
		if !r.knownMemory(id).spared {
			gone = append(gone, id)
		}
	}
	if gone, err = graph.ForgetFacts(r.ctx, r.tx, gone); err != nil {
		return err
	}
	for _, id := range gone {
		r.addDiscrepancy(Discrepancy{Type: StrayFacts, Child: id, Path: vault.FactsPath(id), Detail: "the facts of a memory that is gone"}, "removed them; git's history keeps them")
	}
	return nil
}
