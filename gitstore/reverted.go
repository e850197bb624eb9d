package gitstore

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/gitindex"
	"github.com/cp-memory/cp/gitstore/object"
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
	revertedBack  = 64      // commits that are looked at
	wholeIndex    = "whole" // in the state: the index in which nothing was found reversed, see wholeName
	mergeUnderWay = "merge" // as Head has it: one that could not move HEAD is left so
)

// step is a commit of the branch with its changes of the files in question.
type step struct {
	vault.Revision
	parent string
	files  []vault.Difference
}

// Reverted returns the operations of this clone that show as reversions in the index: in
// all the files that they touched, or in any that a merge has taken back. kept returns when
// an operation began and ended, and zero times for an operation that does not count.
func (r *Repo) Reverted(ctx context.Context, state string, kept func(op string) (begun, done time.Time)) (vault.Reversal, error) {
	var none vault.Reversal
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
	steps, err := r.steps(ctx, head.Commit, func(op string) bool { begun, _ := kept(op); return !begun.IsZero() })
	if err != nil {
		return none, err
	}
	index, err := r.stagedNow(ctx, steps)
	if err != nil {
		return none, err
	}
	if out := r.byMerge(state, steps, index, kept); len(out.Ops) > 0 {
		return out, nil
	}
	if head.Busy != "" { // what a person merges is staged otherwise than HEAD has it
		return none, nil
	}
	out := reversal(steps, index)
	if moved, err := r.movedAway(ctx, out); err != nil || moved {
		return none, err
	}
	if len(out.Ops) == 0 {
		noteOnce(state, wholeIndex, wholeName(id, head.Commit)) // it only saves time, so an error is none
	}
	return out, nil
}

// movedAway reports whether a file that is not staged as HEAD has it was moved in the index:
// that is no reversal of the operation which made it.
func (r *Repo) movedAway(ctx context.Context, back vault.Reversal) (bool, error) {
	if !slices.ContainsFunc(back.Files, func(d vault.Difference) bool { return d.From == "" }) {
		return false, nil
	}
	out, err := r.Run(ctx, nil, "diff-index", "--cached", "-M", "--diff-filter=R", "--name-status", "-z", "HEAD", "--")
	if err != nil {
		return false, err
	}
	names := strings.Split(string(out), "\x00")
	return slices.ContainsFunc(back.Files, func(d vault.Difference) bool { return slices.Contains(names, d.Path) }), nil
}

// isWhole reports whether no reversal was found in an index that stands beside a commit: by
// an earlier look at it, or at the one from which the last publication made it.
func isWhole(state string, last cas, index gitindex.FileID, head string) bool {
	return index.Sum != "" && (last.Whole && last.Index == index.Sum && last.New == head || noted(state, wholeIndex) == wholeName(index, head))
}

// wholeName names an index by its trailer, in hex, and by the commit beside which it was
// looked at. A reset may bring back an index of the same bytes.
func wholeName(index gitindex.FileID, head string) string { return index.Sum + " " + head }

// steps returns the last commits of the branch, back to the oldest operation that counts,
// the oldest first. Older commits may touch any number of files, so git compares none of
// them.
func (r *Repo) steps(ctx context.Context, head string, counts func(op string) bool) (all []step, err error) {
	var revs []vault.Revision
	last := 0
	err = r.Revisions(ctx, []string{"--first-parent", "--max-count=" + strconv.Itoa(revertedBack), head, "--"}, func(rev vault.Revision) bool {
		if revs = append(revs, rev); counts(rev.Op) {
			last = len(revs)
		}
		return true
	})
	if err != nil || last == 0 {
		return nil, err
	}
	args := []string{"log", "--no-show-signature", "--first-parent", "-m", "--root", "--max-count=" + strconv.Itoa(last), "-z", "--raw", "--no-abbrev",
		"--no-renames", "--ignore-submodules=none", "--format=%H %P", head, "--"}
	header := func(text string) {
		if commits := append(strings.Fields(text), ""); len(all) < last {
			all = append(all, step{Revision: revs[len(all)], parent: commits[1]})
		}
	}
	err = r.EachChange(ctx, args, header, func(c plumb.Change) (bool, error) {
		s := &all[len(all)-1]
		s.files = append(s.files, c.Difference)
		return true, nil
	})
	slices.Reverse(all)
	return all, err
}

// stagedNow returns the index's entries at the paths that operations touched. A missing
// path has the empty entry.
func (r *Repo) stagedNow(ctx context.Context, steps []step) (map[string]object.Entry, error) {
	var paths []string
	for _, s := range steps {
		for _, f := range s.files {
			paths = append(paths, f.Path)
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	o, err := r.openIndex(ctx, paths)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	index := make(map[string]object.Entry)
	for _, p := range paths {
		if e, ok, err := o.stage.Find(ctx, p); err != nil {
			return nil, err
		} else if ok {
			index[p] = e
		}
	}
	return index, nil
}

// reversal finds the operations of which every file is staged as a commit before had it,
// and not as HEAD has it. The steps begin with the oldest.
func reversal(steps []step, index map[string]object.Entry) (out vault.Reversal) {
	t := newTaken(steps, index)
	earlier := make(map[string]bool)
	for _, s := range steps {
		back := s.Op != "" && len(s.files) > 0
		for _, f := range s.files {
			earlier[f.Path] = earlier[f.Path] || index[f.Path] == entryOf(f.FromMode, f.From)
			back = back && earlier[f.Path] && t.differs(f.Path)
		}
		if back {
			t.add(s, s.files)
		}
	}
	return t.out
}

// taken collects what is staged otherwise than HEAD has it.
type taken struct {
	head   map[string]vault.Taken // what the steps made of each path
	index  map[string]object.Entry
	listed map[string]bool
	out    vault.Reversal
}

func newTaken(steps []step, index map[string]object.Entry) *taken {
	t := &taken{head: make(map[string]vault.Taken), index: index, listed: make(map[string]bool)}
	for _, s := range steps {
		for _, f := range s.files {
			t.head[f.Path] = f.Taken
		}
	}
	return t
}

func entryOf(mode uint32, id string) object.Entry { return object.Entry{Mode: mode, ID: id} }

func (t *taken) differs(path string) bool {
	is := t.head[path]
	return t.index[path] != entryOf(is.IntoMode, is.Into)
}

// add notes that files of an operation are taken back.
func (t *taken) add(s step, back []vault.Difference) {
	t.out.Ops = append(t.out.Ops, s.Revision)
	for _, f := range back {
		if now, is := t.index[f.Path], t.head[f.Path]; !t.listed[f.Path] {
			t.listed[f.Path] = true
			t.out.Files = append(t.out.Files, vault.Difference{Path: f.Path,
				Taken: vault.Taken{From: now.ID, FromMode: now.Mode, Into: is.Into, IntoMode: is.IntoMode}})
		}
	}
}
