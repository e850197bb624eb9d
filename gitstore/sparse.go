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
	listed, err := r.Run(ctx, nil, "ls-files", "-t", "-z")
	if err != nil {
		return nil, err
	}
	skipped := map[string]bool{}
	for line := range strings.SplitSeq(string(listed), "\x00") {
		if name, ok := strings.CutPrefix(line, "S "); ok { // skip-worktree
			skipped[name] = true
		}
	}
	var out []string
	for _, p := range paths {
		if skipped[p] {
			out = append(out, p)
		}
	}
	return out, nil
}
