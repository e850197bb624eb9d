package index

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// file is one of SQLite's, with the log beside it, where it is made and set aside.
type file struct {
	path string
	wait time.Duration // for another process that does either
}

// removeLog unlinks the log beside the file; who has it open keeps it.
func (f file) removeLog() error {
	for _, log := range []string{"-shm", "-wal"} {
		if err := disk.Remove(f.path + log); err != nil {
			return err
		}
	}
	return nil
}

// setAside renames the file to .bad, or removes one that is merely of
// another version. was is the file that was found damaged: if another process
// has replaced it meanwhile, it stays.
func (f file) setAside(was os.FileInfo, remove bool) error {
	unlock, err := f.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if now, err := os.Stat(f.path); err != nil || !os.SameFile(was, now) {
		return nil
	}
	if err := f.removeLog(); err != nil {
		return err
	}
	if remove {
		return disk.Remove(f.path)
	}
	return disk.Rename(f.path, f.path+".bad")
}

// become puts another file in the place of this one; the lock is held. For a
// moment there is none, so that nobody who opens the old one takes the new one's log.
func (f file) become(next file) error {
	if err := disk.Remove(f.path); err != nil {
		return err
	}
	if err := f.removeLog(); err != nil {
		return err
	}
	return disk.Rename(next.path, f.path)
}

// lock serialises the processes that make or set aside the file.
func (f file) lock() (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), f.wait)
	defer cancel()
	l := flock.New(f.path+".lock", flock.SetPermissions(0o644))
	ok, err := l.TryLockContext(ctx, 10*time.Millisecond)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, vault.Errorf(vault.CodeLocked, "", "another process is replacing %s", filepath.Base(f.path))
	}
	return func() { _ = l.Unlock() }, nil
}
