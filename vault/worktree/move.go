package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// move gives everything at the old place a second name at the new one. While
// both exist they are one inode, so a save in place reaches both; a save by
// rename is seen by depart.
func (r *run) move(e *edit) error {
	if len(e.Files) == 0 && len(e.Folders) == 0 && !e.Tree {
		return nil
	}
	if err := r.makeFolders(e); err != nil {
		return err
	}
	for _, f := range e.Files {
		if err := r.carry(e, f); err != nil {
			return err
		}
	}
	return nil
}

// makeFolders makes the folders at the new place, like those at the old one.
func (r *run) makeFolders(e *edit) error {
	to := r.s.abs(e.To, e.Outside)
	if err := r.mkdirAll(filepath.Dir(to)); err != nil || !e.Tree {
		return err
	}
	from := r.s.abs(e.Path, e.Outside)
	if err := r.makeFolder(from, to); err != nil {
		return err
	}
	for _, rel := range e.Folders {
		if err := r.makeFolder(filepath.Join(from, string(rel)), filepath.Join(to, string(rel))); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) makeFolder(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil || files.Present(to) {
		return files.IgnoreMissing(err)
	}
	r.markDirty(to)
	return disk.Mkdir(to, info.Mode().Perm())
}

// carry makes a file's second name.
func (r *run) carry(e *edit, f found) error {
	from, to := f.joinBase(r.s.abs(e.Path, e.Outside)), f.joinBase(r.s.abs(e.To, e.Outside))
	for range saveWaits {
		err := r.s.link(from, to)
		switch {
		case err == nil:
			r.markDirty(to)
			return nil
		case errors.Is(err, fs.ErrExist):
			return nil // done before, or somebody's: depart tells
		case !errors.Is(err, fs.ErrNotExist):
			return r.copy(from, to)
		case files.Present(to):
			return nil
		}
		_ = pause(r.ctx, 1) // an editor replaces it at this moment
	}
	return nil // gone: there is nothing to move
}

// copy is for file systems without hard links.
func (r *run) copy(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return files.IgnoreMissing(err)
	}
	if !info.Mode().IsRegular() {
		r.markDirty(to)
		return disk.RenameNew(from, to)
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return files.IgnoreMissing(err)
	}
	if err := r.putFile(to, b); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return disk.Resemble(to, info)
}

// depart removes the old names of moved files.
func (r *run) depart(i int, e *edit) error {
	for j := range e.Files {
		if err := r.departFile(i, j, e, &e.Files[j]); err != nil {
			return err
		}
	}
	if !e.Tree {
		return r.upward(e.Path, e.Outside)
	}
	if !r.again {
		if err := r.latecomers(e); err != nil {
			return err
		}
	}
	return r.removeEmptied(e)
}

// departFile removes one old name and looks at the file that it took. If that file is
// ours, its new name stays. Otherwise one of the two names was saved by rename since, and
// the file that is no longer ours is the newer one. If that cannot be decided, both stay.
func (r *run) departFile(i, j int, e *edit, f *found) error {
	from, to := f.joinBase(r.s.abs(e.Path, e.Outside)), f.joinBase(r.s.abs(e.To, e.Outside))
	out := r.leaving(from, i, j)
	if r.again && files.Present(out) {
		r.markDirty(from)
		return r.part(out, from, to, e, f)
	}
	if r.again && !files.Present(to) {
		return r.completeMove(from, to)
	}
	if err := disk.RenameNew(from, out); err != nil {
		return files.IgnoreMissing(err) // taken away already
	}
	r.markDirty(from)
	return r.part(out, from, to, e, f)
}

// part removes a file that was taken out of its old name, once it has been looked at.
func (r *run) part(out, from, to string, e *edit, f *found) error {
	switch {
	case files.IsSameFile(out, to):
		f.moved = true
		return disk.Remove(out)
	case !r.again && !files.Present(to):
		return errors.Join(r.giveBack(out, from), r.completeMove(from, to))
	case r.ours(to, e, *f):
		return r.followSave(out, from, to, e, *f)
	case files.SameText(out, to), r.ours(out, e, *f) && sameMemories(out, to):
		return r.putAway(out, from)
	}
	return r.stay(out, from, to)
}

// completeMove makes a move whose new name has gone. That it is the file's last name
// tells git clean, which takes what is in no commit yet, from a person who
// moved it on: then what is here stays.
func (r *run) completeMove(from, to string) error {
	if r.again && !r.wrote || files.Links(from) != 1 {
		return nil
	}
	if err := disk.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	r.markDirty(from)
	r.markDirty(to)
	return files.IgnoreMissing(disk.RenameNew(from, to))
}

// leaving names the place beside a file where it is looked at before it is removed.
func (r *run) leaving(at string, i, j int) string {
	return r.tempName(at, leavingMark+strconv.Itoa(i)+"-"+strconv.Itoa(j))
}

const leavingMark = "leaving-"

// ours reports whether a file is still the one that was planned on, or that file with the
// steps made.
func (r *run) ours(name string, e *edit, f found) bool {
	info, err := os.Lstat(name)
	if err != nil {
		return false
	}
	if files.Inode(info) == f.Inode && info.ModTime().UnixNano() == f.MTime {
		return true
	}
	b, _, err := files.Read(name)
	return err == nil && e.After != "" && files.Digest(b) == e.After
}

// followSave brings a save at the old place to the new one.
func (r *run) followSave(out, from, to string, e *edit, f found) error {
	if err := r.s.exchange(out, to); err != nil {
		return r.stay(out, from, to)
	}
	r.markDirty(to)
	if !r.ours(out, e, f) { // saved there at this very moment
		if err := r.s.exchange(out, to); err != nil {
			return err
		}
		return r.stay(out, from, to)
	}
	r.note("%s was saved while it moved; %s holds that save", r.s.relativeName(from), r.s.relativeName(to))
	return r.putAway(out, from)
}

// stay puts a file back where it was, because its new place is another's.
func (r *run) stay(out, from, to string) error {
	if err := r.giveBack(out, from); err != nil {
		return err
	}
	r.stays[from] = true
	r.note("%s changed in both places while it moved; both versions are kept: %s", r.s.relativeName(from), files.CompareCommand(from, to))
	return nil
}

// latecomers brings along what came into a folder after the move was planned.
func (r *run) latecomers(e *edit) error {
	from, to := r.s.abs(e.Path, e.Outside), r.s.abs(e.To, e.Outside)
	if !files.Present(from) {
		return nil
	}
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return files.IgnoreMissing(err)
		}
		if r.stays[name] {
			return nil
		}
		rel, _ := filepath.Rel(from, name)
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return r.makeFolder(name, target)
		}
		r.markDirty(name)
		r.markDirty(target)
		err = disk.RenameNew(name, target)
		if errors.Is(err, fs.ErrExist) {
			r.note("%s stays: there is %s already", r.s.relativeName(name), r.s.relativeName(target))
			return nil
		}
		return files.IgnoreMissing(err)
	})
}

// removeEmptied removes the folders of an edit that nothing is left in, the inner
// ones first, and then those above that this empties.
func (r *run) removeEmptied(e *edit) error {
	at := r.s.abs(e.Path, e.Outside)
	var inner []string
	_ = filepath.WalkDir(at, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (e.Kind == moves && !r.again || e.lists(at, name)) {
			inner = append(inner, name)
		}
		return nil
	})
	for k := len(inner) - 1; k >= 0; k-- {
		if _, err := disk.RemoveDir(inner[k]); err != nil {
			return err
		}
		r.markDirty(inner[k])
	}
	return r.upward(e.Path, e.Outside)
}

// lists reports whether the edit was planned with the folder name below at, or at itself.
func (e *edit) lists(at, name string) bool {
	rel, err := filepath.Rel(at, name)
	if err != nil || rel == "." {
		return err == nil
	}
	for _, f := range e.Folders {
		if string(f) == rel {
			return true
		}
	}
	return false
}

// upward removes the folders above p that are empty now, up to the vault's root.
func (r *run) upward(p vault.Path, outside bool) error {
	for dir := p.Dir(); dir != ""; dir = dir.Dir() {
		at := r.s.abs(dir, outside)
		if at == string(r.s.Dir) {
			return nil
		}
		gone, err := disk.RemoveDir(at)
		if err != nil || !gone {
			return err
		}
		r.markDirty(at)
	}
	return nil
}
