package code

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
)

const (
	// renameLimit bounds the pairs of files that git compares for renames: its own default, whatever
	// the repository's settings say.
	renameLimit = "-l1000"

	// mostSteps bounds the commits whose renames are followed one by one: some seconds.
	mostSteps = 20_000
)

// Renames is that of [about.Past]. Renames are followed from commit to commit, by first parent: a file that was moved, and then
// rewritten bit by bit, is found, and one that was deleted is not taken for a new one that begins with the same licence. Where the
// first commit is not among those parents, the two trees are compared.
func (p past) Renames(ctx context.Context, from, to string) (map[string]string, error) {
	if from == "" {
		return p.blobsOf(ctx, to)
	}
	if _, err := p.repo.Run(ctx, nil, "cat-file", "-e", from+"^{commit}"); err != nil {
		return nil, ctx.Err()
	}
	all, complete, err := p.renamesAlong(ctx, from, to)
	if complete && err == nil {
		return all, nil
	}
	all = make(map[string]string)
	args := []string{"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", "-M", renameLimit, "--diff-filter=R", from, to, "--"}
	err = p.repo.EachChange(ctx, args, nil, func(c plumb.Change) (bool, error) {
		all[c.Was] = c.Path
		return true, nil
	})
	return all, err
}

// blobsOf returns where each blob of a commit lies.
func (p past) blobsOf(ctx context.Context, commit string) (map[string]string, error) {
	all := make(map[string]string)
	fields, err := p.repo.List(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", commit)
	for _, field := range fields {
		if row, path, ok := strings.Cut(field, "\t"); ok {
			blob := row[strings.LastIndexByte(row, ' ')+1:]
			all[blob] = cmp.Or(all[blob], path)
		}
	}
	return all, err
}

// renamesAlong follows the files of a commit along the first parents of a later one. complete is false
// if it is not one of these parents, or too far back.
func (p past) renamesAlong(ctx context.Context, from, to string) (all map[string]string, complete bool, err error) {
	if complete, err = p.isAncestor(ctx, from, to); err != nil || !complete {
		return nil, false, err
	}
	f := followed{origin: make(map[string]string), left: make(map[string]bool)}
	args := []string{"log", "--first-parent", "-m", "--reverse", "--format=", "-z", "--raw", "--no-abbrev", "--no-ext-diff",
		"-M", renameLimit, "--diff-filter=RD", from + ".." + to, "--"}
	err = p.repo.EachChange(ctx, args, nil, func(c plumb.Change) (bool, error) {
		f.take(c)
		return true, nil
	})
	return f.places(), true, err
}

// isAncestor reports whether a commit is among the first parents of another one, near enough to follow.
func (p past) isAncestor(ctx context.Context, from, to string) (bool, error) {
	out, err := p.repo.Run(ctx, nil, "rev-list", "--first-parent", "--parents", "-n", strconv.Itoa(mostSteps), from+".."+to)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	words := strings.Fields(lines[len(lines)-1])
	return len(words) > 1 && words[1] == from, err
}

// followed are files on their way through commits.
type followed struct {
	origin map[string]string // of a file that has moved, by its present path: the first one
	left   map[string]bool   // the paths that files have left: what is there later is another one
}

// take takes the move or the end of a file.
func (f followed) take(c plumb.Change) {
	was := cmp.Or(c.Was, c.Path)
	origin, moved := f.origin[was]
	if !moved && f.left[was] {
		return
	}
	delete(f.origin, was)
	f.left[was] = true
	if c.Was != "" {
		f.origin[c.Path] = cmp.Or(origin, was)
	}
}

// places returns where the files are now, by their first paths.
func (f followed) places() map[string]string {
	all := make(map[string]string, len(f.origin))
	for path, origin := range f.origin {
		if path != origin {
			all[origin] = path
		}
	}
	return all
}
