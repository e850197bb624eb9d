package embed

import (
	"context"
	"slices"
)

// State is how far the vectors are.
type State struct {
	Space   Space
	Files   int      // that there are
	Lacking []Holder // without a vector, one for each content, in path order
	Have    int      // vectors in the space, of contents that are gone too
}

// State compares the files of the types, all where none is named, with the
// vectors. It asks the model nothing; the mirror is fresh.
func (p Ports) State(ctx context.Context, types []string) (State, error) {
	space, have, err := p.space(ctx)
	if err != nil {
		return State{Space: space}, err
	}
	s := State{Space: space, Have: have}
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

// space is the model's, with the dimension of the newest vectors that fit where
// only the model knows it, and how many vectors it has.
func (p Ports) space(ctx context.Context) (Space, int, error) {
	space, err := p.Model.Space()
	if err != nil {
		return space, 0, err
	}
	all, err := p.Vectors.Spaces(ctx)
	if err != nil {
		return space, 0, err
	}
	for _, s := range all {
		if s.fits(space) {
			return s.Space, s.Count, nil
		}
	}
	return space, 0, nil
}
