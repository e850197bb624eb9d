package worktree

import (
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// fails says what becomes of an intent that a run could not finish. What passes with time, or
// with free space, waits for the next command. What the repository refuses for
// good would block every write to come, so that is undone.
func (r *run) fails(err error) error {
	switch vault.CodeOf(err) {
	case vault.CodeBusy, vault.CodeLocked:
		if r.again {
			return err // it is not this command's write that is saved
		}
		return &vault.Error{Code: vault.CodeQueued, Msg: "saved; will be committed when the repository is free: " + err.Error(),
			Hint: "the next cp command that finds it free finishes this one", Err: err}
	case vault.CodeIO, vault.CodeInternal, vault.CodeNoGit:
		return r.errStopped(err)
	}
	if uerr := r.undo(); uerr != nil {
		return r.errStopped(uerr)
	}
	return err
}

// undo takes back the additions of a write that nobody has touched since, and forgets the
// intent. Called again, it finds nothing to do. Text that a killed run put into a file
// stays there, uncommitted.
func (r *run) undo() error {
	if moved, err := r.overtaken(); err != nil {
		return err
	} else if moved {
		return r.s.forget(r.in.Op)
	}
	r.writeSections(true)
	for _, e := range r.in.Edits {
		var err error
		switch e.Kind {
		case creates:
			err = r.uncreate(e)
		case moves:
			err = r.unmove(e)
		case takes:
			err = r.untake(e)
		}
		if err != nil {
			return err
		}
	}
	for _, sw := range r.swaps {
		if err := r.unswap(sw); err != nil {
			return err
		}
	}
	if err := r.sync(); err != nil {
		return err
	}
	return r.s.forget(r.in.Op)
}

func (r *run) uncreate(e *edit) error {
	at := r.s.abs(e.Path, e.Outside)
	if b, _, err := files.Read(at); err != nil || files.Digest(b) != files.Digest(e.Create) {
		return nil
	}
	r.markDirty(at)
	if err := r.putAway(at, at); err != nil {
		return err
	}
	return r.upward(e.Path, e.Outside)
}

// unmove takes the second names away again.
func (r *run) unmove(e *edit) error {
	for _, f := range e.Files {
		from, to := r.s.abs(f.path(e.Path), e.Outside), r.s.abs(f.path(e.To), e.Outside)
		if files.IsSameFile(from, to) {
			r.markDirty(to)
			if err := disk.Remove(to); err != nil {
				return err
			}
		}
	}
	to := r.s.abs(e.To, e.Outside)
	for i := len(e.Folders) - 1; i >= 0; i-- {
		if _, err := disk.RemoveDir(filepath.Join(to, string(e.Folders[i]))); err != nil {
			return err
		}
	}
	if _, err := disk.RemoveDir(to); err != nil {
		return err
	}
	return r.upward(e.To, e.Outside)
}

// unswap puts the text back that a replaced file had.
func (r *run) unswap(sw swap) error {
	ours, err := readVersion(sw.at)
	if err != nil || files.Digest(ours.text) != sw.ours {
		return nil
	}
	old, _, err := files.Read(sw.kept)
	if err != nil {
		return nil
	}
	_, err = r.swap(sw.at, ours, old, sw.edit)
	return err
}
