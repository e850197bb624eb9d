package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/disk"
)

// prepare makes the markers of the locks. The branch's marker holds its new value.
func (r refFiles) prepare(m move) error {
	return errors.Join(r.headLock(m.state).prepare(nil, false), r.refLock(m.state, m.ref).prepare([]byte(m.new+"\n"), true))
}

func (r refFiles) discard(m move) error {
	return errors.Join(r.headLock(m.state).release(), r.refLock(m.state, m.ref).release())
}

// update moves a branch under HEAD.lock and <ref>.lock, as git does: the lock
// holds the new value and is renamed over the ref.
func (r refFiles) update(ctx context.Context, m move, install func() error) error {
	branch := r.refLock(m.state, m.ref)
	for _, l := range []gitLock{r.headLock(m.state), branch} {
		if err := l.takeLock(ctx, min(r.wait, nestedWait)); err != nil {
			return err
		}
	}
	if ref, at, err := r.head(ctx); err != nil || ref != m.ref || at != m.old {
		return errors.Join(err, object.ErrMoved)
	}
	if err := r.reflog(m); err != nil {
		return err
	}
	if err := install(); err != nil {
		return err
	}
	return r.land(m, branch.path)
}

// land renames the branch's lock over it: the commit point.
func (r refFiles) land(m move, lock string) error {
	at := r.refPath(m.ref)
	if m.new == "" {
		if err := disk.Remove(at); err != nil {
			return err
		}
	} else if err := renameRef(lock, at); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(at))
}

// renameRef renames a ref's lock into place; empty folders that branches once
// there have left, like heads/a/ where a branch a is to be, make way.
func renameRef(lock, at string) error {
	err := disk.Rename(lock, at)
	if info, serr := os.Lstat(at); err != nil && serr == nil && info.IsDir() && disk.Remove(at) == nil {
		return disk.Rename(lock, at)
	}
	return err
}

func (r refFiles) refPath(ref string) string {
	return filepath.Join(r.CommonDir(), filepath.FromSlash(ref))
}

// reflog notes the move for HEAD and for the branch, each where there is a log
// or one is to be begun.
func (r refFiles) reflog(m move) error {
	line := fmt.Appendf(nil, "%s %s %s\t%s\n", cmp.Or(m.old, m.zero), cmp.Or(m.new, m.zero), m.who, m.why)
	for _, path := range []string{
		filepath.Join(r.GitDir(), "logs", "HEAD"),
		filepath.Join(r.CommonDir(), "logs", filepath.FromSlash(m.ref)),
	} {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			if !m.log {
				continue
			}
			if err := disk.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
		}
		if err := disk.Append(path, line, 0o644); err != nil && !plumb.IsFolder(err) {
			return err
		}
	}
	return nil
}
