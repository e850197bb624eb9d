package gitstore

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// FindSides returns the commits that are being joined: HEAD, and that of a merge,
// cherry-pick, rebase or revert under way, else the one stashed last. Both are empty if
// nothing is joined.
func (r *Repo) FindSides(ctx context.Context) (sides [2]string, err error) {
	if sides[0], err = r.Tip(ctx); err != nil {
		return sides, err
	}
	for _, name := range [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD^", "refs/stash"} {
		if sides[1], err = r.Resolve(ctx, name); vault.CodeOf(err) != vault.CodeNotFound {
			return sides, err
		}
	}
	return sides, nil
}

// EachUnmerged calls fn for each path below prefix that the index holds in several versions:
// the base's, ours and theirs. A missing version is nil.
func (r *Repo) EachUnmerged(ctx context.Context, prefix string, fn func(path string, base, ours, theirs []byte) error) error {
	if !r.hasConflicts() {
		return nil
	}
	args := []string{"ls-files", "--unmerged", "-z", "--full-name", "--"}
	if prefix != "" {
		args = append(args, prefix)
	}
	fields, err := r.List(ctx, nil, args...)
	if err != nil {
		return err
	}
	eng := object.OpenCommand(r.Git)
	defer eng.Close()
	var order []string
	stages := make(map[string]*[3][]byte)
	for _, field := range fields {
		words, path := plumb.Record(field)
		if len(words) != 3 || !strings.HasPrefix(words[0], "100") {
			continue
		}
		if stages[path] == nil {
			stages[path] = new([3][]byte)
			order = append(order, path)
		}
		text, err := eng.Text(ctx, path, words[1])
		if err != nil {
			return err
		}
		if text == nil {
			text = []byte{}
		}
		stages[path][words[2][0]-'1'] = text
	}
	for _, path := range order {
		if err := fn(path, stages[path][0], stages[path][1], stages[path][2]); err != nil {
			return err
		}
	}
	return nil
}
