package worktree

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// recover finishes what crashed writers left, the oldest first; the lock is held.
func (s *Store) recover(ctx context.Context) error {
	if err := s.repo.Recover(ctx, s.state); err != nil {
		return err
	}
	if s.hasty {
		if err := s.repo.CheckLocks(ctx); err != nil {
			return err
		}
	}
	if err := s.keepNotes(s.shelf().Rewound(ctx)); err != nil {
		return err
	}
	// A merge that is left half-way keeps a write from being finished. What it took back is
	// put back all the same, since the next git commit ends the merge.
	unfinished := s.finishAll(context.WithoutCancel(ctx), "")
	if unfinished != nil && vault.CodeOf(unfinished) != vault.CodeBusy {
		return unfinished
	}
	if err := s.keepNotes(s.shelf().PutBackReverted(context.WithoutCancel(ctx))); err != nil || unfinished != nil {
		return cmp.Or(unfinished, err)
	}
	return s.keepNotes(s.displacedFiles().Inspect())
}

// keepNotes keeps what there is to tell.
func (s *Store) keepNotes(notes []string, err error) error {
	if len(notes) > 0 {
		s.notes = append(s.notes, notes...)
	}
	if err != nil {
		return s.writeError(err)
	}
	return nil
}

// shelve puts the intent of a finished write aside, and forgets that it waited.
func (s *Store) shelve(in *intent) error {
	if err := s.unqueue(in.Queued); err != nil {
		return err
	}
	return s.shelf().PutIntent(in.Op)
}

// finishAll finishes the operations that wait, except for one.
func (s *Store) finishAll(ctx context.Context, but string) error {
	waiting, err := s.pending()
	if err != nil {
		return s.writeError(err)
	}
	for _, in := range waiting {
		if in.Op == but {
			continue
		}
		if err := s.finish(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// finish applies an intent again.
func (s *Store) finish(ctx context.Context, in *intent) error {
	head, err := s.repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Busy != "" && !in.Back {
		err := vault.Standstill(head.Busy)
		err.Msg = "an earlier write is not finished, and " + err.Msg
		return err
	}
	r := s.newRun(ctx, in)
	r.again = true
	defer r.closeBlobs()
	if err := r.checkContained(); err != nil {
		return r.errStopped(err)
	}
	if err := r.finish(head.Branch); err != nil {
		if err := r.fails(err); files.Present(s.intentFile(in.Op)) {
			return err
		}
		r.note("a write that did not finish was undone: %v", err)
	}
	s.notes = append(s.notes, r.notes...)
	return nil
}

// checkContained checks that the paths of an intent still lie in the vault: a link
// may have come into their way since it was written.
func (r *run) checkContained() error {
	for _, e := range r.in.Edits {
		for _, p := range []vault.Path{e.Path, e.To} {
			if err := r.s.checkPath(p, e.Outside); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) finish(branch string) error {
	if err := r.sweep(); err != nil {
		return err
	}
	committed, err := r.isCommitted()
	if err != nil {
		return err
	}
	if r.wrote = !committed; r.wrote {
		if err := r.writeBeforeCommit(); err != nil {
			return err
		}
		if err := r.publish(); err != nil {
			return err
		}
	}
	if err := r.clear(); err != nil {
		return err
	}
	if r.in.Back {
		return r.s.forget(r.in.Op)
	}
	if r.wrote {
		if err := r.ensureCommitted(branch); err != nil {
			return err
		}
	}
	return r.s.shelve(r.in)
}

// isCommitted reports whether the commit point is passed.
func (r *run) isCommitted() (bool, error) {
	if r.in.Anew != "" {
		return r.madeAnew()
	}
	if r.in.Join == nil {
		return r.s.repo.Holds(r.ctx, r.in.Op, r.s.state)
	}
	head, err := r.s.repo.Head(r.ctx)
	if err != nil {
		return false, err
	}
	return r.s.repo.Includes(r.ctx, head.Commit, r.in.Join.Commit)
}

// madeAnew reports whether a write that HEAD had lost was committed once more.
func (r *run) madeAnew() (bool, error) {
	last, err := r.s.repo.LastPublication(r.s.state)
	if err != nil || last.Op != r.in.Op || last.Before == last.Commit {
		return false, err
	}
	if old, err := r.s.repo.Includes(r.ctx, r.in.Anew, last.Commit); old || err != nil {
		return false, err
	}
	tip, err := r.s.repo.Tip(r.ctx)
	if err != nil {
		return false, err
	}
	return r.s.repo.Includes(r.ctx, tip, last.Commit)
}

// sweep clears away the temporary files of a crashed run. Only a text that is
// provably ours is deleted; any other file may be a replaced one that an
// editor still writes to.
func (r *run) sweep() error {
	for _, dir := range r.touchedFolders() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			what, ours := strings.CutPrefix(e.Name(), r.tempPrefix())
			what, temp := strings.CutSuffix(what, tempSuffix)
			if !ours || !temp || strings.HasPrefix(what, leavingMark) {
				continue
			}
			if err := r.sweepFile(filepath.Join(dir, e.Name()), what); err != nil {
				return err
			}
		}
	}
	return nil
}

// touchedFolders returns the folders in which the run may have left something.
func (r *run) touchedFolders() []string {
	var dirs []string
	seen := make(map[string]bool)
	add := func(p vault.Path, outside bool) {
		if dir := r.s.abs(p, outside); !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	for _, e := range r.in.Edits {
		for _, base := range []vault.Path{e.Path, e.To} {
			if base == "" {
				continue
			}
			add(base.Dir(), e.Outside)
			if e.Tree {
				add(base, e.Outside)
			}
			for _, rel := range e.Folders {
				add(base.Join(string(rel)), e.Outside)
			}
		}
	}
	return dirs
}

func (r *run) sweepFile(temp, what string) error {
	b, _, err := files.Read(temp)
	if err == nil && files.Digest(b)[:digestLen] == what || files.Links(temp) > 1 {
		return disk.Remove(temp)
	}
	at, before := r.replacedBy(filepath.Dir(temp), what)
	if at == "" {
		return r.putAway(temp, temp)
	}
	if err != nil || len(b) == 0 || files.Digest(b) == before {
		return r.putAway(temp, at)
	}
	ours, _, err := files.Read(at)
	if err != nil {
		return files.IgnoreMissing(err)
	}
	return r.putBack(temp, at, ours)
}

// replacedBy returns the file in dir whose text is ours with that digest, and
// the digest of the text it had when the edit was planned.
func (r *run) replacedBy(dir, what string) (at, before string) {
	for _, e := range r.in.Edits {
		if e.Kind != changes && e.Kind != moves && e.Kind != takes {
			continue
		}
		at := r.s.locateEdit(e.Path, e.Outside, r.moves)
		if filepath.Dir(at) != dir {
			continue
		}
		if b, _, err := files.Read(at); err == nil && files.Digest(b)[:digestLen] == what {
			return at, e.Before
		}
	}
	return "", ""
}
