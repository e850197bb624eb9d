package embed

import (
	"context"
	"errors"

	"github.com/cp-memory/cp/vault"
)

// Space says which vectors can be compared: those of the same space.
type Space struct {
	Model     string `json:"model"`     // provider and model, as in "ollama/nomic-embed-text"
	Dimension int    `json:"dimension"` // how many numbers; 0 while only the model knows
	Scheme    string `json:"scheme"`    // how the model is told texts from questions; "none" if it is not
}

// fits reports whether s is the space o. The dimension of o may be unknown.
func (s Space) fits(o Space) bool {
	return s.Model == o.Model && s.Scheme == o.Scheme && (o.Dimension == 0 || o.Dimension == s.Dimension)
}

// Purpose says why a text is embedded.
type Purpose int

const (
	Document Purpose = iota // a text that is to be found
	Query                   // a question that looks for texts
)

// Embedder turns texts into vectors. An error says what a person can do and never holds a
// key.
type Embedder interface {
	// Space returns the space of its vectors. It asks no service.
	Space() (Space, error)

	// Embed returns a vector of unit length for each text, all of one dimension, and nil
	// for a text of which the model knows no word. An error that wraps ErrText is about
	// the texts: fewer or shorter ones may succeed. After any other error the same call
	// would fail again.
	Embed(ctx context.Context, p Purpose, texts []string) ([][]float32, error)
}

// ErrText marks the error of a model that does not take a text.
var ErrText = errors.New("the model does not take this text")

// Unusable is a model that cannot be used. It returns the reason whenever it is asked.
type Unusable struct{ Err error }

// Space returns the error.
func (u Unusable) Space() (Space, error) { return Space{}, u.Err }

// Embed returns the error.
func (u Unusable) Embed(context.Context, Purpose, []string) ([][]float32, error) { return nil, u.Err }

// Stored is a space and what is kept in it.
type Stored struct {
	Space
	Texts    int  // memories' contents whose passages have vectors
	Passages int  // vectors
	Old      bool // they are of whole memories, as an earlier version made them
}

// Vector is the vector of one passage.
type Vector struct {
	Passage string // recall.TextPassage.Hash
	Numbers []float32
}

// Text is a content and its passages.
type Text struct {
	Content  string   // vault.Memory.ContentHash
	Passages []string // their hashes, in order; empty for one without a vector
}

// Near is a content that was found by one of its passages.
type Near struct {
	Content string
	Part    int     // the number of the passage, from 1
	Score   float64 // the cosine
}

// Vectors keeps vectors of passages, and which contents these are passages of. An error says
// what a person can do. A file that cannot be used is set aside, and the next call finds no
// vectors.
type Vectors interface {
	// Spaces lists the spaces of the vectors that are kept, the newest first.
	Spaces(ctx context.Context) ([]Stored, error)

	// Contents returns the contents that are noted in the space.
	Contents(ctx context.Context, s Space) (map[string]bool, error)

	// ListHeld returns those of the passages that have a vector in the space, be it that of a whole
	// memory with the same text.
	ListHeld(ctx context.Context, s Space, passages []string) (map[string]bool, error)

	// Put adds vectors of unit length and notes the passages of contents, which have vectors
	// by then. A vector that is kept already stays, and a content of which a vector has gone
	// meanwhile is left out.
	Put(ctx context.Context, s Space, vectors []Vector, texts []Text) error

	// Nearest returns the k contents with the passages nearest to the query, each with its
	// nearest one, the best first. Unless only is nil, it looks among the contents in only.
	Nearest(ctx context.Context, s Space, query []float32, k int, only map[string]bool) ([]Near, error)

	// Prune drops the contents that are not in keep, and the vectors of no content, in every
	// space, and returns the number of vectors. A dry run only counts them.
	Prune(ctx context.Context, keep map[string]bool, dry bool) (int, error)
}

// Weight is how much the vectors of a space count beside the words, as was measured.
type Weight struct {
	Weight    float64 // recall.Finder.Weight
	Questions int     // by which it was measured
}

// Weights keeps the weights that were measured. An error says what a person can do.
type Weights interface {
	// Weight returns that of a space; found is false where none was measured.
	Weight(ctx context.Context, s Space) (w Weight, found bool, err error)

	// SetWeight keeps one in place of an earlier one.
	SetWeight(ctx context.Context, s Space, w Weight) error
}

// Holder is a memory and the content it holds now.
type Holder struct {
	ID      vault.ID
	Path    vault.Path
	Type    string
	Content string
}

// Holders says which memories hold which contents.
type Holders interface {
	// Holders returns the memories that pass the filters of o, in path order, and
	// ignores its limit. Unless contents is nil, it returns only those that hold one of
	// them. If o is nil it returns the files of every type and status.
	Holders(ctx context.Context, o *vault.ListOptions, contents []string) ([]Holder, error)
}
