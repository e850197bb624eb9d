package gitstore

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/gitindex"
)

// Tracks reports whether git's index holds a path that begins with the given one.
// The last part of that is looked for among the bytes of the index first, which is
// all where it is not there: 0.1 ms for 10,000 files, while git itself takes 3.
func (r *Repo) Tracks(ctx context.Context, beginning string) (bool, error) {
	whole, found, err := gitindex.Says(r.indexFile(), path.Base(beginning))
	if err != nil || whole && !found {
		return false, err
	}
	names, err := r.List(ctx, nil, "ls-files", "-z", "--", path.Dir(beginning))
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, beginning) }), err
}
