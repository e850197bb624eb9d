package worktree

import (
	"errors"
	"io/fs"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// applyEdit brings a file to its new text before the commit. A file that is removed stays until
// after it.
func (r *run) applyEdit(e *edit) error {
	if e.Taken.Into == "" {
		return nil
	}
	if e.Before != "" {
		return r.makeSteps(e)
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

// takeGone removes a file after the commit.
func (r *run) takeGone(i int, e *edit) error {
	if e.Taken.Into != "" {
		return nil
	}
	return r.removeFiles(i, e)
}

// blendText returns the file's new text, made from the present one.
func (r *run) blendText(e *edit, text []byte) ([]byte, error) {
	from, err := r.blob(e, e.Taken.From)
	if err != nil {
		return nil, err
	}
	into, err := r.blob(e, e.Taken.Into)
	if err != nil {
		return nil, err
	}
	next, ok := blendVersions(e, from, text, into)
	if !ok {
		return nil, errBeingSaved
	}
	return next, nil
}

// blob returns the text of a blob that is taken. An empty id has no text.
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

func (r *run) closeBlobs() {
	if r.blobsDone != nil {
		r.blobsDone()
	}
}

// untake removes a new file again if nobody has touched it.
func (r *run) untake(e *edit) error {
	if e.Before != "" || e.After == "" {
		return nil
	}
	at := r.s.abs(e.Path, true)
	if b, _, err := files.Read(at); err != nil || files.Digest(b) != e.After {
		return nil
	}
	r.markDirty(at)
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

// takenPath returns the taken file if it is a memory's.
func (s *Store) takenPath(e *edit) []vault.Path {
	if p, ok := s.inVault(string(e.Path)); ok && s.leaves.Candidate(p) {
		return []vault.Path{p}
	}
	return nil
}
