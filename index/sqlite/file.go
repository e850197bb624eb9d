package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// File is a file with the log beside it, where it is made and set aside.
type File struct {
	Path string
	Wait time.Duration // for another process that does either

	State string // folder of what goes with the file and is not to come with a clone; empty is the file's own
}

// RemoveLog unlinks the log beside the file; a process that has it open keeps it. SQLite
// would otherwise play a foreign journal back, too.
func (f File) RemoveLog() error {
	for _, log := range []string{"-shm", "-wal", "-journal"} {
		if err := Discard(f.Path + log); err != nil {
			return err
		}
	}
	return nil
}

// Discard removes what is at path, and sets aside a folder with something in it.
func Discard(path string) error {
	if err := disk.Remove(path); err == nil {
		return nil
	}
	return putAside(path)
}

// putAside renames what lies at path to .bad, whatever it is. If .bad is taken by
// something that a rename cannot replace, it takes another name.
func putAside(path string) (err error) {
	for _, ending := range []string{".bad", ".bad.2", ".bad.3", ".bad.4"} {
		if err = disk.Rename(path, path+ending); err == nil {
			return nil
		}
	}
	return err
}

// SetAside renames the file, or what lies in its place, to .bad, or removes a file that is
// only of another version. was is the file that was found damaged: if another process has
// replaced it meanwhile, the new one stays.
func (f File) SetAside(was os.FileInfo, remove bool) error {
	unlock, err := f.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	if now, err := os.Lstat(f.Path); err != nil || !os.SameFile(was, now) {
		return nil
	}
	if err := f.RemoveLog(); err != nil {
		return err
	}
	if remove {
		return disk.Remove(f.Path)
	}
	return putAside(f.Path)
}

// Lock serialises the processes that make or set aside the file.
func (f File) Lock() (unlock func(), err error) {
	if f.State != "" {
		if err := disk.MkdirAll(f.State, 0o755); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.Wait)
	defer cancel()
	l := flock.New(f.Beside(".lock"), flock.SetPermissions(0o644))
	ok, err := l.TryLockContext(ctx, 10*time.Millisecond)
	switch {
	case !ok && ctx.Err() != nil:
		return nil, vault.Errorf(vault.CodeLocked, "", "another process is replacing %s", filepath.Base(f.Path))
	case err != nil:
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
}

// Beside returns a file of f's state that goes with f.
func (f File) Beside(ending string) string {
	if f.State == "" {
		return f.Path + ending
	}
	return filepath.Join(f.State, filepath.Base(f.Path)+ending)
}
