package embed

import (
	"context"
	"errors"

	"github.com/cp-memory/cp/vault"
)

// Space is what two vectors must share to be compared.
type Space struct {
	Model     string `json:"model"`     // provider and model, as in "ollama/nomic-embed-text"
	Dimension int    `json:"dimension"` // how many numbers; 0 while only the model knows
	Scheme    string `json:"scheme"`    // how texts and questions are told apart to the model; "none" when they are not
}

// fits reports whether vectors of the space s can stand for those of o, whose
// dimension may not be known yet.
func (s Space) fits(o Space) bool {
	return s.Model == o.Model && s.Scheme == o.Scheme && (o.Dimension == 0 || o.Dimension == s.Dimension)
}

// Purpose is what a text is embedded for.
type Purpose int

const (
	Document Purpose = iota // a text that is to be found
	Query                   // a question that looks for texts
)

// Embedder turns texts into vectors. An error says what a person does about it
// and never holds a key.
type Embedder interface {
	// Space is where its vectors lie. It asks no service.
	Space() (Space, error)

	// Embed returns a vector of unit length for each text, all of one dimension;
	// nil for a text of which the model knows no word. An error that wraps
	// ErrText is about the texts: fewer of them, or shorter ones, may do. After any
	// other one the same call would fail again.
	Embed(ctx context.Context, p Purpose, texts []string) ([][]float32, error)
}

// ErrText is what a model says of texts that it does not take.
var ErrText = errors.New("the model does not take this text")

// Unusable stands for a model that cannot be used, and says why when it is asked.
type Unusable struct{ Err error }

// Space returns the error.
func (u Unusable) Space() (Space, error) { return Space{}, u.Err }

// Embed returns the error.
func (u Unusable) Embed(context.Context, Purpose, []string) ([][]float32, error) { return nil, u.Err }

// Stored is a space with how many vectors of it there are.
type Stored struct {
	Space
	Count int
}

// Vector is one content's.
type Vector struct {
	Content string // vault.Memory.ContentHash
	Numbers []float32
}

// Near is a content that was found.
type Near struct {
	Content string
	Score   float64 // the cosine
}

// Vectors is where vectors are kept. An error says what a person does about it;
// a file that cannot be used is set aside, and the next call finds none.
type Vectors interface {
	// Spaces lists the spaces there are vectors of, the newest first.
	Spaces(ctx context.Context) ([]Stored, error)

	// Contents returns the contents that have a vector in the space.
	Contents(ctx context.Context, s Space) (map[string]bool, error)

	// Put adds vectors of unit length; one that is there stays.
	Put(ctx context.Context, s Space, vectors []Vector) error

	// Nearest returns the k contents nearest to the query, the best first; of
	// those in only, where that is not nil.
	Nearest(ctx context.Context, s Space, query []float32, k int, only map[string]bool) ([]Near, error)

	// Prune drops, in every space, the vectors of contents that are not in keep,
	// and returns how many.
	Prune(ctx context.Context, keep map[string]bool) (int, error)
}

// Holder is a memory and the content it holds now.
type Holder struct {
	ID      vault.ID
	Path    vault.Path
	Type    string
	Content string
}

// Holders is what the mirror knows of contents.
type Holders interface {
	// Holders returns the memories that pass the filters of o, in path order,
	// whatever its limit; where contents is not nil those alone that hold one of
	// them. Without o it returns the files of every type and status.
	Holders(ctx context.Context, o *vault.ListOptions, contents []string) ([]Holder, error)
}
