package gitstore

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
)

// LeftOut returns those of the paths that a sparse checkout leaves out of the
// work tree: they are tracked, and that they are not on disk is no deletion.
func (r *Repo) LeftOut(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	settings, err := r.Settings(ctx)
	if err != nil || !plumb.IsTrue(settings["core.sparsecheckout"]) {
		return nil, err
	}
	listed, err := r.List(ctx, nil, "ls-files", "-t", "-z")
	skipped := map[string]bool{}
	for _, line := range listed {
		if name, ok := strings.CutPrefix(line, "S "); ok { // skip-worktree
			skipped[name] = true
		}
	}
	return among(paths, skipped), err
}

// among returns those of the paths that are in a set, in their order.
func among(paths []string, set map[string]bool) (in []string) {
	for _, p := range paths {
		if set[p] {
			in = append(in, p)
		}
	}
	return in
}
