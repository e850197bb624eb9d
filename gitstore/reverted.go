package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/gitindex"
	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// A git merge that fails, because local changes would be overwritten or because HEAD has
// moved meanwhile, leaves index and files as they were when it began. An operation that
// was committed in between is then in HEAD and shows as a staged reversion, and the next
// git commit -a takes it away again. git checkout HEAD~ -- x looks alike. ORIG_HEAD tells
// them apart: a merge writes it when it begins, and it names the commit that the operation
// was made on.

const (
	revertedBack  = 64               // commits that are looked at
	mergeTakes    = 10 * time.Second // from the beginning of a merge to an operation that it takes back
	restagedAt    = "mended"         // in the state: when the ORIG_HEAD of the last Restage was written
	wholeIndex    = "whole"          // in the state: the trailer of the index in which nothing was found reversed, in hex
	mergeUnderWay = "merge"          // as Head has it: one that could not move HEAD is left so
)

// step is a commit of the branch with its changes of the files in question.
type step struct {
	vault.Revision
	parent string
	files  []vault.Difference
}

// Reverted returns the operations of this clone that show as reversions in the index, in
// all the files that they touched. kept returns when an operation began and ended, and
// zero times for an operation that does not count.
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
	if isWhole(state, last, id) {
		return none, nil
	}
	if _, err := os.Lstat(filepath.Join(r.GitDir(), "index.lock")); err == nil {
		return none, nil // somebody is at it
	}
	head, err := r.Head(ctx)
	if err != nil || head.Commit == "" || head.Busy != "" && head.Busy != mergeUnderWay {
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
	out := reversal(steps, index)
	if len(out.Ops) == 0 {
		noteOnce(state, wholeIndex, id.Sum) // it only saves time, so an error is none
		return none, nil
	}
	out.ByMerge = r.byMerge(state, steps, out, kept)
	return out, nil
}

// isWhole reports whether no reversal was found in an index: by an earlier look at it, or
// at the one from which the last publication made it.
func isWhole(state string, last cas, index gitindex.FileID) bool {
	return index.Sum != "" && (last.Whole && last.Index == index.Sum || noted(state, wholeIndex) == index.Sum)
}

// noteOnce replaces a note in the state; noted returns it, empty for none.
func noteOnce(state, name, text string) error {
	name = filepath.Join(state, name)
	return errors.Join(disk.Remove(name), disk.Write(name, []byte(text), 0o644))
}

func noted(state, name string) string {
	b, err := os.ReadFile(filepath.Join(state, name))
	if err != nil {
		return ""
	}
	return string(b)
}

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
	head := make(map[string]vault.Taken)
	for _, s := range steps {
		for _, f := range s.files {
			head[f.Path] = f.Taken
		}
	}
	earlier, listed := make(map[string]bool), make(map[string]bool)
	for _, s := range steps {
		back := s.Op != "" && len(s.files) > 0
		for _, f := range s.files {
			now := index[f.Path]
			earlier[f.Path] = earlier[f.Path] || now == object.Entry{Mode: f.FromMode, ID: f.From}
			is := head[f.Path]
			back = back && earlier[f.Path] && now != object.Entry{Mode: is.IntoMode, ID: is.Into}
		}
		if !back {
			continue
		}
		out.Ops = append(out.Ops, s.Revision)
		for _, f := range s.files {
			if now, is := index[f.Path], head[f.Path]; !listed[f.Path] {
				listed[f.Path] = true
				out.Files = append(out.Files, vault.Difference{Path: f.Path,
					Taken: vault.Taken{From: now.ID, FromMode: now.Mode, Into: is.Into, IntoMode: is.IntoMode}})
			}
		}
	}
	return out
}

// byMerge reports whether ORIG_HEAD shows that a merge did it: it was written just before
// the first of the operations and names the commit on which that one was made, all
// operations since are reversed, and the files are staged as that commit has them. It says
// so once for each writing of ORIG_HEAD.
func (r *Repo) byMerge(state string, steps []step, out vault.Reversal, kept func(op string) (begun, done time.Time)) bool {
	orig, at, err := r.origHead()
	if err != nil {
		return false
	}
	if noted(state, restagedAt) == at.String() {
		return false
	}
	first := slices.IndexFunc(steps, func(s step) bool { return s.parent == orig })
	if first < 0 || steps[first].Op != out.Ops[0].Op {
		return false
	}
	begun, done := kept(out.Ops[0].Op)
	if begun.IsZero() || at.Before(begun.Add(-mergeTakes)) || at.After(done) {
		return false
	}
	ops, was := 0, make(map[string]object.Entry)
	for _, s := range steps[first:] {
		if s.Op != "" {
			ops++
		}
		for _, f := range s.files {
			if _, seen := was[f.Path]; !seen {
				was[f.Path] = object.Entry{Mode: f.FromMode, ID: f.From}
			}
		}
	}
	return ops == len(out.Ops) && !slices.ContainsFunc(out.Files, func(d vault.Difference) bool { return was[d.Path] != object.Entry{Mode: d.FromMode, ID: d.From} })
}

// origHead returns what ORIG_HEAD names and when it was written.
func (r *Repo) origHead() (commit string, at time.Time, err error) {
	b, info, err := plumb.ReadWithStat(filepath.Join(r.GitDir(), "ORIG_HEAD"))
	if err != nil {
		return "", time.Time{}, err
	}
	return strings.TrimSpace(string(b)), info.ModTime(), nil
}

// Restage puts files in the index to what HEAD has of them, where they are staged
// as a Reversal found them, and notes that this was done.
func (r *Repo) Restage(ctx context.Context, state string, files []vault.Difference) error {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	o, err := r.openIndex(ctx, paths)
	if err != nil {
		return plumb.IOError(err)
	}
	defer o.Close()
	for _, f := range files {
		now, ok, err := o.stage.Find(ctx, f.Path)
		switch {
		case err != nil:
			return err
		case !ok && f.From != "" || ok && now != object.Entry{Mode: f.FromMode, ID: f.From}:
			continue // somebody has staged something else
		case f.Into == "":
			err = o.stage.Drop(ctx, f.Path)
		default:
			err = o.stage.Put(ctx, f.Path, object.Entry{Mode: f.IntoMode, ID: f.Into})
		}
		if err != nil {
			return err
		}
	}
	p := &publication{Repo: r, state: state}
	if _, err := p.saveIndex(ctx, o.engine, o.stage); err != nil {
		return plumb.IOError(err)
	}
	return plumb.IOError(p.replaceIndex(ctx, o.id))
}

// replaceIndex installs the index that saveIndex made, if the index in place is still the
// one it was made from.
func (p *publication) replaceIndex(ctx context.Context, was gitindex.FileID) (err error) {
	l := p.indexLock(p.state)
	defer func() { err = errors.Join(err, l.release()) }()
	if err := l.prepare(nil, false); err != nil {
		return err
	}
	if err := l.take(ctx, p.wait); err != nil {
		return err
	}
	now, err := p.indexID()
	if err == nil && now != was {
		err = vault.Errorf(vault.CodeBusy, "try again when git is done", "git's index is being changed")
	}
	if err != nil {
		return err
	}
	if _, at, err := p.origHead(); err == nil {
		if err := noteOnce(p.state, restagedAt, at.String()); err != nil {
			return err
		}
	}
	return errors.Join(disk.Rename(markPath(p.state, newIndex), filepath.Join(p.GitDir(), "index")), disk.SyncDir(p.GitDir()))
}
