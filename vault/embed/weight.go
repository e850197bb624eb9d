package embed

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// The bounds of a weight.
const (
	LeastWeight = 0.01
	MostWeight  = 10
)

// Sound reports whether the weight is one that a measurement or a person can have set.
func (w Weight) Sound() bool { return w.Weight >= LeastWeight && w.Weight <= MostWeight }

// weight returns the weight of a space. One that is not sound counts as not measured.
func (p Ports) weight(ctx context.Context, s Space) (Weight, bool, error) {
	w, found, err := p.Weights.Weight(ctx, s)
	if !found || !w.Sound() {
		return Weight{}, false, err
	}
	return w, true, err
}

// Check returns the state of the vectors; the error is why recall does not use them as they are kept.
// It asks the model nothing.
func (p Ports) Check(ctx context.Context) (State, error) {
	s, err := p.State(ctx, nil)
	if err == nil && s.Old {
		err = vault.Errorf(vault.CodeEmbedding, backfill, "%s", Outdated)
	}
	if err != nil {
		return s, err
	}
	w, found, err := p.Weights.Weight(ctx, s.Space)
	if err == nil && found && !w.Sound() {
		err = vault.Errorf(vault.CodeEmbedding, "cp admin embed-calibrate", "the weight of %s in vectors.db is %v, which is not from %v to %v: it is not used",
			s.Space.Model, w.Weight, LeastWeight, MostWeight)
	}
	return s, err
}
