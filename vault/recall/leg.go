package recall

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Leg is another way to find memories beside their words, as by vectors.
type Leg interface {
	// Name is the word by which --explain and warnings call the leg: "vector".
	Name() string

	// FindNearest returns the memories that pass the filters of o and are nearest to the
	// query, the best first, at most o.Limit of them; o.Offset is zero. Memories that the
	// leg does not cover yet are left out. An error ends only this leg: its sentence and
	// hint become a warning beside the lexical answer. So it says which thing a person has
	// to do (no vectors yet, another model, a service that is down).
	FindNearest(ctx context.Context, query string, o vault.ListOptions) ([]Scored, error)
}

// Scored is a memory that a leg found.
type Scored struct {
	ID     vault.ID
	Member int     // of the family that has it; a leg leaves it out
	Score  float64 // the cosine: 1 is the same, 0 has nothing in common
	Weight float64 // by which Score counts beside the words, as was measured for the leg; 0 is not measured
	Part   int     // the number of the passage that was nearest ([NthPassage]); 0 is unknown

	Path vault.Path // its file, where the leg knows it: many are then looked up at once
}
