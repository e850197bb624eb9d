package past

import (
	"context"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// Past reads the commits of a repository.
type Past struct {
	git    plumb.Git
	ids    object.IDs
	source Source
}

// Source opens the objects of a repository, in the way that fits it.
type Source interface {
	// Tip returns HEAD's commit; empty on an unborn branch.
	Tip(ctx context.Context) (string, error)

	// Objects opens the objects as they are stored.
	Objects() (object.Store, error)

	// Reader opens the objects, and the texts that the work tree would hold at the paths.
	Reader(ctx context.Context, paths []string) (object.Database, error)
}

// New returns the past of a repository whose objects have such ids.
func New(git plumb.Git, ids object.IDs, source Source) Past { return Past{git, ids, source} }
