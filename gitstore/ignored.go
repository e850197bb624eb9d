package gitstore

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
)

// Ignored returns those of the paths that git ignores, by whatever rule: it
// would not add them by itself. Paths that are tracked are not ignored.
func (r *Repo) Ignored(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	// check-ignore refuses to run with literal pathspecs; it reads plain paths all the same.
	ignored, err := r.List(ctx, []byte(strings.Join(paths, "\x00")), "--no-literal-pathspecs", "check-ignore", "-z", "--stdin")
	if plumb.ExitCode(err) == 1 { // none of them
		return nil, nil
	}
	return ignored, err
}
