package gitstore

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// LeftOut returns the paths that a sparse checkout leaves out of the work tree. They are
// tracked, and their absence from the disk is no deletion.
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

// among returns the paths that are in a set, in their order.
func among(paths []string, set map[string]bool) (in []string) {
	for _, p := range paths {
		if set[p] {
			in = append(in, p)
		}
	}
	return in
}

// Versions calls fn with the texts that the i-th path has in a commit and in the
// index; nil where it is in none. An empty commit holds nothing.
func (r *Repo) Versions(ctx context.Context, commit string, paths []string, fn func(i int, committed, staged []byte) error) error {
	if r.hasConflicts() {
		return busy("unmerged index")
	}
	o, err := r.openIndex(ctx, paths)
	if err != nil {
		return err
	}
	defer o.Close()
	head, err := object.OpenTree(ctx, o, r.IDs, commit)
	if err != nil {
		return err
	}
	for i, path := range paths {
		committed, staged, err := versionsOf(ctx, o, head, o.stage, path)
		if err == nil {
			err = fn(i, committed, staged)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// versionsOf returns a file's texts in HEAD's tree and in the index.
func versionsOf(ctx context.Context, t object.Texts, head, index version, path string) (committed, staged []byte, err error) {
	var texts [2][]byte
	var last object.Entry
	for i, v := range [...]version{head, index} {
		e, ok, err := v.Find(ctx, path)
		switch {
		case err != nil:
			return nil, nil, err
		case !ok || !e.IsFile():
		case e == last:
			texts[i] = texts[i-1]
		default:
			b, err := t.Text(ctx, path, e.ID)
			if err != nil {
				return nil, nil, err
			}
			texts[i], last = append([]byte{}, b...), e
		}
	}
	return texts[0], texts[1], nil
}

// PickStaged returns the paths at which the index and HEAD differ, including those that only
// one of them has.
func (r *Repo) PickStaged(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	listed, err := r.List(ctx, nil, "diff", "--cached", "--no-ext-diff", "--no-renames", "--name-only", "-z")
	staged := make(map[string]bool)
	for _, name := range listed {
		staged[name] = true
	}
	return among(paths, staged), err
}

// Tracks reports whether git's index holds a path that begins with the given one. git is
// asked only where the index file itself cannot tell. note is as in [gitindex.Lists].
func (r *Repo) Tracks(ctx context.Context, beginning, note string) (bool, error) {
	found, known, err := gitindex.Lists(r.indexFile(), r.IDs.Len()/2, beginning, note)
	if err != nil || known {
		return found, err
	}
	names, err := r.List(ctx, nil, "ls-files", "-z", "--", path.Dir(beginning))
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, beginning) }), err
}

// IndexNames returns the paths in git's index that begin and end so. git is asked only where the
// index file itself cannot tell. note is as in [gitindex.Ending].
func (r *Repo) IndexNames(ctx context.Context, beginning, ending, note string) ([]string, error) {
	names, known, err := gitindex.Ending(r.indexFile(), r.IDs.Len()/2, beginning, ending, note)
	if err != nil || known {
		return names, err
	}
	listed, err := r.List(ctx, nil, "ls-files", "-z")
	return slices.DeleteFunc(listed, func(name string) bool {
		return !strings.HasPrefix(name, beginning) || !strings.HasSuffix(name, ending)
	}), err
}
