package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// git reset --hard, which every git stash runs, reads HEAD, changes the index and the
// files, releases its lock, and then sets the branch to the commit that it had read. A
// commit made in between is off the branch then, and nobody has asked for that. The
// branch's reflog tells such a reset from one that a person wants:
//
//	<old> <new> <who, when>\treset: moving to HEAD
//
// A move to HEAD changes nothing, so if old and new differ it came too late. The same
// holds if "moving to HEAD~2" does not lead from old to new. A person asked for any other
// move, also for git reset --hard of a commit.
//
// Before a commit is built on a branch, its log is read: the record of a publication says
// up to which offset. Repositories without reflogs, and those that keep them in a
// reftable, do without this.

// rewind is a move of the branch that came too late: it took the commits that are in the
// history of from and not in that of to.
type rewind struct{ from, to string }

// Rewound returns the operations that a late git reset took from the branch since the last
// publication, that were not made again, and that can be, as remakes says.
func (r *Repo) Rewound(ctx context.Context, state string, remakes func(op string) bool) (lost []vault.Revision, err error) {
	last, err := readCAS(state)
	if err != nil || last.Op == "" {
		return nil, plumb.IOError(err)
	}
	if at, err := r.Tip(ctx); err != nil || at == last.New {
		return nil, err
	}
	head, err := r.Head(ctx)
	if err != nil || head.Busy != "" {
		return nil, err
	}
	lost, _, err = r.findRewound(ctx, head, last)
	return slices.DeleteFunc(lost, func(rev vault.Revision) bool { return !remakes(rev.Op) }), plumb.IOError(err)
}

// findRewound does the work of Rewound for a head that is not where the last publication put it.
// It also returns up to which offset the log was read.
func (r *Repo) findRewound(ctx context.Context, head vault.Head, last cas) (ops []vault.Revision, read int64, err error) {
	from := last.Log
	if last.Ref != head.Branch {
		from = 0
	}
	lines, read, err := logTail(filepath.Join(r.CommonDir(), "logs", filepath.FromSlash(head.Branch)), from)
	if err != nil {
		return nil, 0, err
	}
	seen := map[string]bool{"": true}
	for _, line := range lines {
		w, ok := r.late(ctx, line)
		if !ok {
			continue
		}
		held := r.Between(ctx, w.to, head.Commit)
		for _, rev := range held {
			seen[rev.Op] = true
		}
		for _, rev := range r.Between(ctx, w.to, w.from) {
			if !seen[rev.Op] {
				ops = append(ops, rev)
				seen[rev.Op] = true
			}
		}
	}
	return ops, read, nil
}

// logRoom bounds how much of a reflog is read: some 300 moves.
const logRoom = 64 << 10

// logTail returns the lines of a reflog from an offset on, or its last ones if there are
// many or the log was written anew, and where it ends.
func logTail(file string, from int64) (lines []string, end int64, err error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || plumb.IsFolder(err) {
		return nil, 0, nil
	}
	end = int64(len(b))
	if from < 1 || from > end || b[from-1] != '\n' {
		from = 0
	}
	b = b[max(from, end-logRoom):]
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n"), end, err
}

// relative fits a revision that names HEAD or one of its ancestors.
var relative = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:HEAD|@)((?:[~^][0-9]*)*)$`) })

// late reads a line of a reflog; false when it is no reset that came too late.
func (r *Repo) late(ctx context.Context, line string) (rewind, bool) {
	m, ok := plumb.ParseMove(line)
	rev, reset := strings.CutPrefix(m.Why, "reset: moving to ")
	steps := relative().FindStringSubmatch(rev)
	if !ok || !reset || steps == nil || m.Old == m.New {
		return rewind{}, false
	}
	if steps[1] == "" {
		return rewind{m.Old, m.New}, true
	}
	return r.lateBy(ctx, m.Old, m.New, steps[1])
}

// lateBy finds the commit that HEAD was when a reset to HEAD~steps, which ended at to,
// began. If that commit is from, the reset was not late.
func (r *Repo) lateBy(ctx context.Context, from, to, steps string) (rewind, bool) {
	for n, rev := range r.Between(ctx, to, from) {
		if at, err := r.CommitOf(ctx, rev.Commit+steps); err == nil && at == to {
			return rewind{from, rev.Commit}, rev.Commit != from
		}
		if n == logBack {
			break
		}
	}
	return rewind{}, false
}

// logBack bounds the commits that are tried as the one at which a reset began.
const logBack = 50
