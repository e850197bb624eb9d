package gitstore

import (
	"context"
	"strings"
)

// Staged returns those of the paths of which the index has another version than
// HEAD, or that only one of them has.
func (r *Repo) Staged(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	listed, err := r.git(ctx, nil, "diff", "--cached", "--no-ext-diff", "--no-renames", "--name-only", "-z")
	if err != nil {
		return nil, err
	}
	staged := make(map[string]bool)
	for name := range strings.SplitSeq(string(listed), "\x00") {
		staged[name] = true
	}
	var out []string
	for _, p := range paths {
		if staged[p] {
			out = append(out, p)
		}
	}
	return out, nil
}
