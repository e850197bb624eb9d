package background

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Work is a kind of work in one clone. Two files in Dir stand for it: NAME.lock is locked
// while it is done, and NAME.asked is there while somebody wants it.
type Work struct {
	Dir  string // the clone's state
	Name string
}

// NoteWanted notes that the work is wanted.
func (w Work) NoteWanted() error {
	err := disk.MkdirAll(w.Dir, 0o700)
	if err == nil {
		err = disk.Append(w.requestPath(), nil, 0o600)
	}
	if err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot note in %s what is to be done: %w", w.Dir, disk.Cause(err))
	}
	return nil
}

// Do does the work until nobody asks for it any more. If another process does it already, it
// returns at once: that one does what was asked here. The error is that of do, which is then
// not called again.
func (w Work) Do(do func() error) error {
	for w.isWanted() {
		free, err := w.workOnce(do)
		if err != nil || !free {
			return err
		}
	}
	return nil
}

// again is how often the lock is tried by somebody who waits for it.
const again = 50 * time.Millisecond

// Alone does the work once, asked for or not, after the process that is at it, if there is one.
func (w Work) Alone(ctx context.Context, do func() error) error {
	if err := disk.MkdirAll(w.Dir, 0o700); err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot make %s: %w", w.Dir, disk.Cause(err))
	}
	l := w.lock()
	defer l.Close()
	if _, err := l.TryLockContext(ctx, again); err != nil {
		return err
	}
	return do()
}

func (w Work) lock() *flock.Flock {
	return flock.New(filepath.Join(w.Dir, w.Name+".lock"), flock.SetPermissions(0o600))
}

// workOnce does the work as long as it is asked for. free is false if another process does it.
// What is asked for after the last look and before the lock is free is left to [Work.Do].
func (w Work) workOnce(do func() error) (free bool, err error) {
	l := w.lock()
	defer l.Close()
	if free, err = l.TryLock(); err != nil || !free {
		return false, err
	}
	for w.isWanted() {
		if err := disk.Remove(w.requestPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true, disk.Cause(err)
		}
		if err := do(); err != nil {
			return true, err
		}
	}
	return true, nil
}

func (w Work) requestPath() string { return filepath.Join(w.Dir, w.Name+".asked") }

func (w Work) isWanted() bool {
	_, err := os.Stat(w.requestPath())
	return err == nil
}
