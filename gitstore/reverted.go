package gitstore

import (
	"context"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// A git merge that fails, because local changes would be overwritten or because HEAD has
// moved meanwhile, leaves index and files as they were when it began. An operation that
// was committed in between is then in HEAD and shows as a staged reversion, and the next
// git commit -a takes it away again. git checkout HEAD~ -- x looks alike. ORIG_HEAD tells
// them apart: a merge writes it when it begins, and it names the commit that the operation
// was made on.
//
// A publication looks, too. Otherwise it would record on an index in which something is
// taken back, and its own edits would make some of those files look like a person's.

const (
	wholeIndex    = "whole" // in the state: the index in which nothing was found reversed, see wholeName
	mergeUnderWay = "merge" // as Head has it: one that could not move HEAD is left so
)

// Times returns when an operation of this clone began and ended, and zero times for one that
// does not count.
type Times = func(op string) (begun, done time.Time)

// FindReversal returns the operations of this clone that show as reversions in the index: in
// all the files that they touched, or in any that a merge has taken back.
func (r *Repo) FindReversal(ctx context.Context, state string, times Times) (none vault.Reversal, err error) {
	last, err := readCAS(state)
	if err != nil || last.Op == "" {
		return none, plumb.IOError(err)
	}
	id, err := r.indexID()
	if err != nil {
		return none, plumb.IOError(err)
	}
	head, err := r.Head(ctx)
	if err != nil || head.Commit == "" || head.Busy != "" && head.Busy != mergeUnderWay || isWhole(state, last, id, head.Commit) {
		return none, err
	}
	l, err := r.lookAtIndex(ctx, head.Commit, times)
	if err != nil {
		return none, err
	}
	if l, all := r.takenByMerge(l, state, times); len(all) > 0 {
		out := l.reversal(all)
		out.ByMerge = true
		return out, nil
	}
	if head.Busy != "" { // what a person merges is staged otherwise than HEAD has it
		return none, nil
	}
	all := l.findUndone(func(op string) bool { return op != "" })
	if moved, err := r.isRenamed(ctx, l, all, "diff-index", "--cached", "HEAD", "--"); err != nil || moved {
		return none, err
	}
	if len(all) == 0 {
		noteOnce(state, wholeIndex, wholeName(id, head.Commit)) // it only saves time, so an error is none
	}
	return l.reversal(all), nil
}

// isWhole reports whether no reversal was found in an index that stands beside a commit: by
// an earlier look at it, or at the one from which the last publication made it.
func isWhole(state string, last cas, index gitindex.FileID, head string) bool {
	return index.Sum != "" && (last.Whole && last.Index == index.Sum && last.New == head || readNote(state, wholeIndex) == wholeName(index, head))
}

// wholeName names an index by its trailer, in hex, and by the commit beside which it was
// looked at. A reset may bring back an index of the same bytes.
func wholeName(index gitindex.FileID, head string) string { return index.Sum + " " + head }

// lookAtIndex returns what is staged otherwise than the last commits of the branch made it.
func (r *Repo) lookAtIndex(ctx context.Context, head string, times Times) (look, error) {
	steps, err := r.readRecentSteps(ctx, head, func(op string) bool { begun, _ := times(op); return !begun.IsZero() })
	l := newLook(steps)
	l.staged = true
	if err != nil || len(l.touched) == 0 {
		return l, err
	}
	paths := make([]string, 0, len(l.touched))
	for path := range l.touched {
		paths = append(paths, path)
	}
	o, err := r.openIndex(ctx, paths)
	if err != nil {
		return l, err
	}
	defer o.Close()
	for _, path := range paths {
		entry, _, err := o.stage.Find(ctx, path)
		if err != nil {
			return l, err
		}
		l.see(path, entry)
	}
	return l, nil
}
