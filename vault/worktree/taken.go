package worktree

import (
	"errors"
	"io/fs"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree/files"
)

// take brings a file to what it becomes, before the commit. What goes, goes after it.
func (r *run) take(e *edit) error {
	if e.Taken.Into == "" {
		return nil
	}
	if e.Before != "" {
		return r.change(e)
	}
	into, err := r.blob(e, e.Taken.Into)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if e.Taken.IntoMode == vault.ModeExecutable {
		mode = 0o777
	}
	err = r.putAs(r.s.abs(e.Path, true), into, mode)
	if errors.Is(err, fs.ErrExist) {
		return vault.InTheWay("an untracked file", "move it first", []string{string(e.Path)})
	}
	return err
}

// takeGone takes away, after the commit, a file that goes.
func (r *run) takeGone(i int, e *edit) error {
	if e.Taken.Into != "" {
		return nil
	}
	return r.remove(i, e)
}

// joined is what the file's text becomes by now.
func (r *run) joined(e *edit, text []byte) ([]byte, error) {
	from, err := r.blob(e, e.Taken.From)
	if err != nil {
		return nil, err
	}
	into, err := r.blob(e, e.Taken.Into)
	if err != nil {
		return nil, err
	}
	next, ok := blended(e, from, text, into)
	if !ok {
		return nil, errBeingSaved
	}
	return next, nil
}

// blob returns the text of one of the blobs of what is taken; an empty id has none.
func (r *run) blob(e *edit, id string) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	if r.blobs == nil {
		edits := make([]vault.Edit, len(r.in.Edits))
		for i, e := range r.in.Edits {
			edits[i] = e.Edit
		}
		var err error
		if r.blobs, r.blobsDone, err = r.s.blobs(r.ctx, edits); err != nil {
			return nil, err
		}
	}
	return r.blobs(r.ctx, string(e.Path), id)
}

func (r *run) close() {
	if r.blobsDone != nil {
		r.blobsDone()
	}
}

// untake takes a new file away again, if nobody has touched it.
func (r *run) untake(e *edit) error {
	if e.Before != "" || e.After == "" {
		return nil
	}
	at := r.s.abs(e.Path, true)
	if b, _, err := files.Read(at); err != nil || files.Digest(b) != e.After {
		return nil
	}
	r.touched(at)
	if err := r.putAway(at, at); err != nil {
		return err
	}
	return r.upward(e.Path, true)
}

// overtaken reports whether somebody has committed since the history was to be
// taken over. That commit may hold what was written: it then stays on disk.
func (r *run) overtaken() (bool, error) {
	if r.in.Join == nil {
		return false, nil
	}
	head, err := r.s.repo.Head(r.ctx)
	return err == nil && head.Commit != r.in.Join.Base, err
}

// takenPath returns the memory's file that is taken, if it is one.
func (s *Store) takenPath(e *edit) []vault.Path {
	if p, ok := s.inVault(string(e.Path)); ok && files.Candidate(p) {
		return []vault.Path{p}
	}
	return nil
}
