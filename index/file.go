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

	state string // folder of what goes with the file and is not to come with a clone; empty is the file's own
}

// removeLog unlinks the log beside the file; who has it open keeps it. SQLite
// would play a journal back, too, whoever wrote it.
func (f file) removeLog() error {
	for _, log := range []string{"-shm", "-wal", "-journal"} {
		if err := discard(f.path + log); err != nil {
			return err
		}
	}
	return nil
}

// discard removes what is at path, and sets aside a folder with something in it.
func discard(path string) error {
	if err := disk.Remove(path); err == nil {
		return nil
	}
	return putAside(path)
}

// putAside renames what is at path to .bad, whatever it is. What another kind of
// thing at that name does not make room for gets another.
func putAside(path string) (err error) {
	for _, ending := range []string{".bad", ".bad.2", ".bad.3", ".bad.4"} {
		if err = disk.Rename(path, path+ending); err == nil {
			return nil
		}
	}
	return err
}

// setAside renames the file, or what is in its place, to .bad, or removes one that
// is merely of another version. was is what was found damaged: if another process
// has replaced it meanwhile, it stays.
func (f file) setAside(was os.FileInfo, remove bool) error {
	unlock, err := f.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if now, err := os.Lstat(f.path); err != nil || !os.SameFile(was, now) {
		return nil
	}
	if err := f.removeLog(); err != nil {
		return err
	}
	if remove {
		return disk.Remove(f.path)
	}
	return putAside(f.path)
}

// become puts another file, with that key, in the place of this one; the lock is
// held. For a moment there is none, so that nobody who opens the old one takes the
// new one's log.
func (f file) become(next file, key int64) error {
	if err := disk.Remove(f.path); err != nil {
		return err
	}
	if err := f.removeLog(); err != nil {
		return err
	}
	if err := f.note(next.path, key); err != nil {
		return err
	}
	return disk.Rename(next.path, f.path)
}

// lock serialises the processes that make or set aside the file.
func (f file) lock() (unlock func(), err error) {
	if f.state != "" {
		if err := disk.MkdirAll(f.state, 0o755); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.wait)
	defer cancel()
	l := flock.New(f.beside(".lock"), flock.SetPermissions(0o644))
	ok, err := l.TryLockContext(ctx, 10*time.Millisecond)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, vault.Errorf(vault.CodeLocked, "", "another process is replacing %s", filepath.Base(f.path))
	}
	return func() { _ = l.Unlock() }, nil
}
