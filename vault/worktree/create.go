package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// create makes a new file. A name that somebody took since planning is left to
// them, and the file gets the next one: x-2.md. The name of a facts file says of which
// memory it is, so there theirs stays on disk, and ours is in the commit alone.
func (r *run) create(e *edit) error {
	wanted := e.Path
	for n := 2; ; n++ {
		err := r.putFile(r.s.abs(e.Path, e.Outside), e.Create)
		if errors.Is(err, fs.ErrExist) && wanted.IsFacts() {
			r.note("%s was made meanwhile; that version is in the file, uncommitted, and the other in the commit: git diff -- %s", wanted, files.Quote(string(wanted)))
			return nil
		}
		if err == nil && e.Path != wanted {
			r.note("%s was taken meanwhile; the file is %s", wanted, e.Path)
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		e.Path = vault.Path(fmt.Sprintf("%s-%d%s", wanted.Stem(), n, wanted[len(wanted.Stem()):]))
	}
}

// putFile creates a file with the text b. It does nothing if that is done already: the file
// holds the text, or the same memory with later edits by a person. Any other file of that
// name gives fs.ErrExist.
func (r *run) putFile(at string, b []byte) error { return r.putAs(at, b, 0o666) }

// putAs is put with the mode of a new file.
func (r *run) putAs(at string, b []byte, mode fs.FileMode) error {
	if files.Present(at) {
		return r.checkMade(at, b)
	}
	if err := r.mkdirAll(filepath.Dir(at)); err != nil {
		return err
	}
	temp := r.temp(at, b)
	if err := r.writeTemporary(temp, at, b, mode); err != nil {
		return err
	}
	err := disk.RenameNew(temp, at)
	r.markDirty(at)
	if err != nil {
		_ = disk.Remove(temp)
	}
	if errors.Is(err, fs.ErrExist) {
		return r.checkMade(at, b)
	}
	return err
}

func (r *run) checkMade(at string, b []byte) error {
	cur, _, err := files.Read(at)
	if err == nil && (bytes.Equal(cur, b) || sameMemory(cur, b)) {
		return nil
	}
	return &fs.PathError{Op: "create", Path: at, Err: fs.ErrExist}
}

// temp names the file in which the text b waits beside at. The name tells a
// later command whether what it finds there is ours.
func (r *run) temp(at string, b []byte) string { return r.tempName(at, files.Digest(b)[:digestLen]) }

func (r *run) tempName(at, what string) string {
	return at[:len(at)-len(filepath.Base(at))] + r.tempPrefix() + what + tempSuffix
}

func (r *run) tempPrefix() string { return ".cp-" + r.in.Op + "-" }

const (
	tempSuffix = ".tmp"
	digestLen  = 16 // 64 bits of a digest, in names
)

// writeTemporary writes a temporary file that waits beside at, synced unless one flush comes for
// all. A file of that name can only have come back: git stash takes a temporary file
// along, and its pop restores it. It is kept like a replaced one.
func (r *run) writeTemporary(temp, at string, b []byte, mode fs.FileMode) error {
	write := disk.WriteSync
	if r.bulk {
		write = disk.Write
	}
	err := write(temp, b, mode)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := r.putAway(temp, at); err != nil {
		return err
	}
	return write(temp, b, mode)
}

// mkdirAll makes the folders of a new file, synced unless one flush comes for all.
func (r *run) mkdirAll(dir string) error {
	if r.bulk {
		return disk.MakeFolders(dir, 0o777)
	}
	return disk.MkdirAll(dir, 0o777)
}
