package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// The files in the folder mark of a vault's state.
const (
	markIndex = "index.lock" // second names of git's locks
	markHead  = "head.lock"
	markRef   = "ref.lock" // holds the branch's new value
	markGC    = "gc.pid"
	newIndex  = "index.new"
	oldIndex  = "index.old" // second name of the index that was replaced, until all is done; empty for none
	casRecord = "cas"
)

// How long we wait for a lock that another program holds. While we hold one
// ourselves the wait is short, since others wait for us.
const (
	lockWait   = 5 * time.Second
	nestedWait = time.Second
)

func markPath(state, name string) string { return filepath.Join(state, "mark", name) }

// gitLock is one of git's lock files, taken as another name of a marker.
type gitLock struct {
	marker, path string
	like         string // a file whose mode the marker takes; empty for an ordinary one
}

// prepare makes a fresh marker with the given contents. They are synced if they
// are to become a file of their own.
func (l gitLock) prepare(contents []byte, sync bool) error {
	if err := l.release(); err != nil {
		return err
	}
	if err := disk.MkdirAll(filepath.Dir(l.marker), 0o755); err != nil {
		return err
	}
	write := disk.Write
	if sync {
		write = disk.WriteSync
	}
	if err := write(l.marker, contents, 0o644); err != nil || l.like == "" {
		return err
	}
	info, err := os.Stat(l.like)
	if err != nil {
		return err
	}
	return disk.Resemble(l.marker, info)
}

// takeLock gives the prepared marker its other name. It waits at most wait for the holder of
// that name.
func (l gitLock) takeLock(ctx context.Context, wait time.Duration) error {
	until := time.Now().Add(wait)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := disk.Link(l.marker, l.path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // git removes empty folders of refs
			if err := disk.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrExist):
			return err
		}
		if time.Now().After(until) {
			return errLockHeld(l.path)
		}
		if err := plumb.Sleep(ctx, pause/2+rand.N(pause)); err != nil {
			return err
		}
	}
}

// release removes the lock if it is ours, and then the marker. A lock that
// cannot be removed keeps its marker, for recovery to know it by.
func (l gitLock) release() error {
	if sameInode(l.marker, l.path) {
		if err := disk.Remove(l.path); err != nil {
			return err
		}
	}
	return disk.Remove(l.marker)
}

func (r *Repo) indexLock(state string) gitLock {
	return gitLock{markPath(state, markIndex), filepath.Join(r.GitDir(), "index.lock"), ""}
}

func (r *Repo) headLock(state string) gitLock {
	return gitLock{markPath(state, markHead), filepath.Join(r.GitDir(), "HEAD.lock"), ""}
}

func (r *Repo) refLock(state, ref string) gitLock {
	return gitLock{markPath(state, markRef), filepath.Join(r.CommonDir(), filepath.FromSlash(ref)) + ".lock", r.modelFile()}
}

// modelFile returns a file that git has given the mode of a shared repository.
func (r *Repo) modelFile() string {
	if !r.format.shared {
		return ""
	}
	return filepath.Join(r.CommonDir(), "HEAD")
}

func (r *Repo) gcLock(state string) gitLock {
	return gitLock{markPath(state, markGC), filepath.Join(r.CommonDir(), "gc.pid"), ""}
}

// CheckLocks returns why a commit would have to wait: a lock of another program's. Ours
// are gone once Recover has run.
func (r *Repo) CheckLocks(ctx context.Context) error {
	paths := []string{filepath.Join(r.GitDir(), "index.lock"), filepath.Join(r.GitDir(), "HEAD.lock")}
	ref, _, err := r.refs().head(ctx)
	if err != nil {
		return err
	}
	if plumb.ValidRef(ref) {
		paths = append(paths, filepath.Join(r.CommonDir(), filepath.FromSlash(ref))+".lock")
	}
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			return errLockHeld(path)
		}
	}
	return nil
}

// errLockHeld returns the error for a lock that does not go away.
func errLockHeld(path string) error {
	age := "unknown age"
	if info, err := os.Lstat(path); err == nil {
		age = fmt.Sprintf("%d s old", max(0, int(time.Since(info.ModTime()).Seconds())))
	}
	return vault.Errorf(vault.CodeBusy, "wait for the git command that holds it; if none is running, move it away: "+vault.MoveLock(path),
		"%s is held by another program (%s)", path, age)
}

func sameInode(a, b string) bool {
	x, err := os.Lstat(a)
	if err != nil {
		return false
	}
	y, err := os.Lstat(b)
	return err == nil && os.SameFile(x, y)
}

// holdGC keeps git gc away while our objects are in no branch yet: gc steps aside when
// gc.pid names a live process of this host. It waits for a gc that a person runs already,
// but not for long: that may take minutes, and prunes young objects only when told to. In
// that case, and against a bare git prune, the check after the commit has to help. A gc
// that git or Tidy began by itself is not waited for: it spares young objects, unless
// gc.pruneExpire says otherwise.
func (r *Repo) holdGC(ctx context.Context, state string) error {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	l := r.gcLock(state)
	if err := l.prepare(fmt.Appendf(nil, "%d %s\n", os.Getpid(), host), false); err != nil {
		return err
	}
	wait := time.Duration(0)
	if r.gcRuns(ctx, host) {
		wait = min(r.wait, nestedWait)
	}
	err = l.takeLock(ctx, wait)
	if vault.CodeOf(err) == vault.CodeBusy {
		return nil
	}
	return err
}

// gcRuns reports whether gc.pid names a live process of this host that is not
// known to be a gc --auto sparing what is young.
func (r *Repo) gcRuns(ctx context.Context, host string) bool {
	b, err := os.ReadFile(filepath.Join(r.CommonDir(), "gc.pid"))
	if err != nil {
		return false
	}
	var pid int
	var at string
	if _, err := fmt.Sscanf(string(b), "%d %s", &pid, &at); err != nil || at != host || pid <= 0 {
		return false
	}
	if !sysfile.IsAlive(pid) {
		return false
	}
	if s, err := r.Settings(ctx); err != nil || s["gc.pruneexpire"] != "" {
		return true
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // Linux alone tells
	return err != nil || !strings.Contains(string(line)+"\x00", "\x00--auto\x00")
}
