package worktree

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/operation"
)

// swap is one replacement by this run: where the old inode went, and the digest of the
// text that replaced it.
type swap struct {
	at, kept, ours string
	edit           *edit
}

// takeLateSaves looks again at the replaced files, now that the commit has taken its
// milliseconds. An editor that had opened the old file before the exchange may have saved
// into it since: its text then goes to the file, with the edit made on it. If it cannot go
// there a later command reports it (see package displaced), so there is no error.
func (r *run) takeLateSaves() {
	for _, sw := range r.swaps {
		if late, ok := operation.LateSave(sw.kept); ok {
			r.adoptLate(sw, late)
		}
	}
}

// ensureOnDisk sees to it that what was just committed is on disk: git clean, stash or
// checkout may have taken a file, or our edit of it, in the milliseconds before
// the commit knew it. The next commit -a of a person would make that a deletion.
// A later command that finds the commit made does not: by then it may be a
// person's wish.
func (r *run) ensureOnDisk() error {
	if r.again && !r.wrote {
		return nil
	}
	for _, e := range r.in.Edits {
		if at := r.s.abs(e.Path, e.Outside); e.Kind == creates && !files.Present(at) {
			if err := r.putFile(at, e.Create); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		} else if e.Kind == takes && e.Before == "" && !files.Present(at) {
			if err := r.applyEdit(e); err != nil && vault.CodeOf(err) != vault.CodeDirty {
				return err
			}
		}
	}
	for _, sw := range r.swaps {
		if err := r.editAgain(sw); err != nil {
			return err
		}
	}
	return nil
}

// rewinds bounds how often a commit is made again, awaits how many moments a git
// is waited for.
const (
	rewinds = 5
	awaits  = 1000
)

// ensureCommitted sees to it that the commit is still there when it is acknowledged: see
// package remake. A git that holds the index may be about to move the branch, so it is
// waited for, 5 s at the most. A branch that a person has left is left alone.
func (r *run) ensureCommitted(branch string) error {
	for range rewinds {
		waited := r.await(filepath.Join(r.s.repo.GitDir(), "index.lock"))
		tip, err := r.s.repo.Tip(r.ctx)
		if err == nil && tip == r.result.Commit && waited {
			return r.ensureOnDisk() // that git may have been at the files, too
		}
		if err != nil || tip == r.result.Commit {
			return err
		}
		head, err := r.s.repo.Head(r.ctx)
		if err != nil || head.Branch != branch || head.Busy != "" {
			return err
		}
		held, err := r.s.repo.Holds(r.ctx, r.in.Op, r.s.state)
		if err != nil {
			return err
		}
		if held {
			if done, err := r.amend(tip); done || err != nil {
				return err
			}
			continue
		}
		for _, step := range []func() error{r.writeBeforeCommit, r.publish, r.clear} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// amend commits once more what a commit right on top of ours, at tip, has taken
// away: git clean or stash had the file, or our edit of it, off the disk for a
// moment, and git commit -a found it so. It reports whether there was nothing.
func (r *run) amend(tip string) (done bool, err error) {
	c := r.draft()
	c.Anew = true
	for _, e := range r.in.Edits {
		if lacks, err := r.lacks(tip, e); err != nil {
			return false, err
		} else if lacks {
			if err := r.addEdit(&c, e); err != nil {
				return false, err
			}
		}
	}
	if len(c.Edits) == 0 {
		return true, nil
	}
	result, err := r.s.repo.Publish(r.ctx, c, r.s.state)
	if err != nil {
		_, err = r.putRight(err) // and the next round looks again
		return false, err
	}
	r.result.Commit = result.Commit
	return false, r.ensureOnDisk()
}

// lacks reports whether a commit lacks a new file of ours, or our steps in an old one.
func (r *run) lacks(commit string, e *edit) (bool, error) {
	if e.Untrack || e.Kind != creates && (e.Kind != changes || e.Whole || e.Adopt) {
		return false, nil
	}
	text, err := r.s.repo.ReadAt(r.ctx, commit, string(r.s.inRepo(e.Path, e.Outside)))
	if vault.CodeOf(err) == vault.CodeNotFound {
		return e.Kind == creates, nil
	}
	return err == nil && e.Kind == changes && slices.ContainsFunc(e.Steps, func(s vault.Step) bool { return !s.Done(text) }), err
}

// await waits until a lock of git's is gone, and the moment in which its owner
// moves the branch. It is not ours: we hold the vault's lock. It reports whether there was one.
func (r *run) await(lock string) (waited bool) {
	for n := 0; n < awaits && !r.s.hasty && files.Present(lock); n++ {
		waited = true
		_ = pause(r.ctx, 1)
	}
	if waited {
		_ = pause(r.ctx, 2)
	}
	return waited
}

// editAgain makes the edit again on a file whose bytes are those from before the edit, or
// those of the commit before ours.
func (r *run) editAgain(sw swap) error {
	cur, err := readVersion(sw.at)
	if err != nil || files.Digest(cur.text) == sw.ours || files.Digest(cur.text) != sw.edit.Before && !r.wasCommitted(sw.edit, cur.text) {
		return nil
	}
	known := *sw.edit
	known.Takes = nil // nobody typed this text
	next, err := r.redone(&known, cur.text)
	if err != nil {
		return nil
	}
	_, err = r.swap(sw.at, cur, next, sw.edit)
	return err
}

// wasCommitted reports whether the commit before ours holds that text.
func (r *run) wasCommitted(e *edit, text []byte) bool {
	if r.result.Before == "" {
		return false
	}
	was, err := r.s.repo.ReadAt(r.ctx, r.result.Before, string(r.s.inRepo(e.Path, e.Outside)))
	return err == nil && bytes.Equal(was, text)
}

// adoptLate replaces our text by a late save, if nobody else has replaced it.
func (r *run) adoptLate(sw swap, late []byte) {
	cur, err := readVersion(sw.at)
	if err != nil || files.Digest(cur.text) != sw.ours {
		return
	}
	next, err := r.redone(sw.edit, late)
	if err != nil {
		return
	}
	if done, err := r.swap(sw.at, cur, next, sw.edit); done && err == nil {
		r.s.displacedFiles().KeepAgain(sw.kept, late)
	}
}
