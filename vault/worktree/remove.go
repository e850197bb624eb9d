package worktree

import (
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// removeFiles takes away the files of a removal, now that the commit has. A file
// that somebody has saved since the removal was planned stays, uncommitted.
func (r *run) removeFiles(i int, e *edit) error {
	for j, f := range e.Files {
		if f.Digest == "" {
			continue // only HEAD had it
		}
		if err := r.removeFile(i, j, e, f); err != nil {
			return err
		}
	}
	if e.Tree {
		return r.removeEmptied(e)
	}
	return r.upward(e.Path, e.Outside)
}

func (r *run) removeFile(i, j int, e *edit, f found) error {
	at := r.s.abs(f.path(e.Path), e.Outside)
	out := r.leaving(at, i, j)
	if !files.Present(out) {
		if !files.Present(at) {
			return nil
		}
		if err := disk.RenameNew(at, out); err != nil {
			return files.IgnoreMissing(err)
		}
	}
	r.markDirty(at)
	b, _, err := files.Read(out)
	if err == nil && files.Digest(b) == f.Digest {
		_, err := r.s.displacedFiles().Keep(r.in.Op, out, r.s.relativeName(at), f.Digest)
		return err
	}
	if err := r.giveBack(out, at); err != nil {
		return err
	}
	r.note("%s was saved while it was being removed; that version is kept, uncommitted", r.s.relativeName(at))
	return nil
}
