package embed

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// State compares the vectors with the memories.
type State struct {
	Space   Space
	Files   int      // that there are
	Lacking []Holder // one for each content without a vector, in path order
	Have    int      // contents with vectors in the space; those that are gone count too
	Vectors int      // in the space
	Old     bool     // the vectors kept are of whole memories; a run makes those of passages
}

// State compares the files of the types with the vectors; no types means all. It asks the
// model nothing. The caller has brought the mirror up to date.
func (p Ports) State(ctx context.Context, types []string) (State, error) {
	space, err := p.Model.Space()
	if err != nil {
		return State{Space: space}, err
	}
	return p.stateIn(ctx, space, types)
}

// stateIn returns the State of a space whose dimension may be unknown.
func (p Ports) stateIn(ctx context.Context, like Space, types []string) (State, error) {
	kept, err := p.findStored(ctx, like)
	if err != nil {
		return State{Space: kept.Space}, err
	}
	space := kept.Space
	s := State{Space: space, Have: kept.Texts, Vectors: kept.Passages, Old: kept.Old}
	contents, err := p.Vectors.Contents(ctx, space)
	if err != nil {
		return s, err
	}
	all, err := p.Holders.Holders(ctx, nil, nil)
	for _, h := range all {
		if len(types) > 0 && !slices.Contains(types, h.Type) {
			continue
		}
		s.Files++
		if !contents[h.Content] {
			contents[h.Content] = true
			s.Lacking = append(s.Lacking, h)
		}
	}
	return s, err
}

// findStored returns the newest space that fits like, whose dimension may be unknown, and what is
// kept in it. If there is none it returns like.
func (p Ports) findStored(ctx context.Context, like Space) (Stored, error) {
	all, err := p.Vectors.Spaces(ctx)
	if err != nil {
		return Stored{Space: like}, err
	}
	for _, s := range all {
		if s.fits(like) {
			return s, nil
		}
	}
	return Stored{Space: like}, nil
}

// measureState returns the State. If only the model knows its dimension, it asks for one vector
// first, to see whether the dimension has changed. A service that is down does not matter
// as long as no vector is missing.
func (p Ports) measureState(ctx context.Context, types []string) (State, error) {
	s, err := p.State(ctx, types)
	if err != nil || s.Vectors == 0 {
		return s, err
	}
	like, err := p.Model.Space()
	if err != nil || like.Dimension > 0 {
		return s, err
	}
	one, err := p.Model.Embed(ctx, Document, []string{vault.TypeMemory})
	if err != nil && len(s.Lacking) == 0 && ctx.Err() == nil {
		return s, nil
	}
	if err != nil || one[0] == nil || len(one[0]) == s.Space.Dimension {
		return s, err
	}
	like.Dimension = len(one[0])
	return p.stateIn(ctx, like, types)
}
