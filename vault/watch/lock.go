package watch

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/tree"
)

// LockFolder returns the watcher's folder in a vault's state, or in the vault where
// there is no repository to hold one.
func LockFolder(root, state string) string {
	if state == "" {
		state = filepath.Join(root, ".cp")
	}
	return filepath.Join(state, "watch")
}

func lockFile(place string) string  { return filepath.Join(place, "lock") }
func signFile(place string) string  { return filepath.Join(place, "watcher") }
func askFolder(place string) string { return filepath.Join(place, "ask") }

// stopName is the question that asks a watcher of another build to end.
const stopName = "stop"

// patience is how long a start waits for the lock: a reader holds it for the
// moment in which it looks whether anybody does. takeover is how long a watcher
// of another build gets to end.
const (
	patience = time.Second
	takeover = 10 * time.Second
)

// lockWatcher takes the lock of a vault's watcher. A watcher of another build, whose
// mirror would not be ours, is asked to make room; the error names one of our own.
func lockWatcher(ctx context.Context, place, build string) (*flock.Flock, error) {
	if err := disk.MkdirAll(place, 0o700); err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot make the watcher's folder: %w", err)
	}
	l := flock.New(lockFile(place), flock.SetPermissions(0o600))
	wait := patience
	if who, ok := Who(place); ok && who.Build != build && asksToStop(place) {
		wait = takeover
	}
	soon, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if got, err := l.TryLockContext(soon, 20*time.Millisecond); got {
		return l, nil
	} else if ctx.Err() == nil && err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, errors.Join(vault.Errorf(vault.CodeIO, "", "cannot lock %s: %w", lockFile(place), err), l.Close())
	}
	_ = l.Close()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	who, _ := Who(place)
	return nil, vault.Errorf(vault.CodeLocked, "let it run, or end it with `kill "+pid(who)+"` first", "a watcher of this vault runs already (process %s)", pid(who))
}

func asksToStop(place string) bool {
	return disk.Write(filepath.Join(askFolder(place), stopName), nil, 0o600) == nil
}

// sign says who holds the lock. It is for people and for a later build, so that
// it cannot be written is no reason not to watch.
func sign(place string, who tree.Watcher) {
	b, err := json.Marshal(who)
	if err == nil && disk.Remove(signFile(place)) == nil {
		_ = disk.Write(signFile(place), b, 0o600)
	}
}

// Who returns the watcher of the vault. ok is false if there is none.
func Who(place string) (tree.Watcher, bool) {
	var who tree.Watcher
	if !isLocked(place) {
		return who, false
	}
	if b, err := os.ReadFile(signFile(place)); err == nil {
		_ = json.Unmarshal(b, &who)
	}
	return who, true
}

// isLocked reports whether a process holds the lock.
func isLocked(place string) bool { return sysfile.IsLocked(lockFile(place)) }
