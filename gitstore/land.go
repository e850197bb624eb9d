package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/disk"
)

// land takes git's locks, puts the new index in place and moves the branch.
func (p *publication) land(ctx context.Context, index gitindex.FileID, record cas) error {
	m := p.branchMove(record)
	return p.withIndexLock(ctx, m, func(refs refs) error {
		if now, err := p.indexID(); err != nil || now != index {
			return errors.Join(err, object.ErrMoved)
		}
		installed := false
		err := refs.update(ctx, m, func() error {
			installed = true
			return p.install()
		})
		if err != nil && installed {
			err = errors.Join(err, p.uninstall(ctx, record))
		}
		return err
	})
}

// uninstall puts the index back after the branch could not be moved. If it has
// moved all the same, and only its sync failed, the index must not be behind it.
func (p *publication) uninstall(ctx context.Context, record cas) error {
	if _, at, err := p.refs().head(ctx); err != nil || at == record.New {
		return err
	}
	return p.restoreIndex(p.state, record)
}

// withIndexLock runs fn under index.lock, with everything ready to make the move.
func (r *Repo) withIndexLock(ctx context.Context, m move, fn func(refs) error) (err error) {
	refs, l := r.refs(), r.indexLock(m.state)
	defer func() { err = errors.Join(err, refs.discard(m), l.release()) }()
	if err := errors.Join(refs.prepare(m), l.prepare(nil, false)); err != nil {
		return err
	}
	if err := l.takeLock(ctx, r.wait); err != nil {
		return err
	}
	return fn(refs)
}

// branchMove returns the change of the branch that a record tells of.
func (p *publication) branchMove(c cas) move {
	_, committer := p.who()
	subject, _, _ := strings.Cut(strings.TrimSpace(p.commit.Message), "\n")
	why := "commit: " + subject
	switch {
	case p.commit.Join != nil:
		why = "pull: " + subject
	case c.Old == "":
		why = "commit (initial): " + subject
	}
	return move{
		ref: c.Ref, old: c.Old, new: c.New, state: p.state, zero: p.IDs.Zero(),
		who: committer.WithTime(p.when()), why: why, log: keepsReflogs(p.settings),
	}
}

// keepsReflogs reports whether git begins a reflog for a branch without one.
func keepsReflogs(s plumb.Settings) bool {
	value, ok := s["core.logallrefupdates"]
	return !ok || plumb.IsTrue(value) || strings.EqualFold(value, "always")
}

// install replaces the old index by the new one, durably.
func (p *publication) install() error {
	at, old := filepath.Join(p.GitDir(), "index"), markPath(p.state, oldIndex)
	if err := disk.Remove(old); err != nil {
		return err
	}
	err := disk.Link(at, old)
	if errors.Is(err, fs.ErrNotExist) {
		err = disk.Write(old, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := disk.Rename(markPath(p.state, newIndex), at); err != nil {
		return err
	}
	return disk.SyncDir(p.GitDir())
}

// underWay reports whether the publication of the record came as far as the
// index and no further than that: it then keeps the old index.
func underWay(state string) bool {
	_, err := os.Lstat(markPath(state, oldIndex))
	return err == nil
}

// restoreIndex puts the index back that a publication replaced, unless
// somebody has changed it since.
func (r *Repo) restoreIndex(state string, c cas) error {
	at, old := filepath.Join(r.GitDir(), "index"), markPath(state, oldIndex)
	now, err := gitindex.Identify(at)
	if err != nil || now.Sum != c.Index || now.Sum == "" { // none with index.skipHash: who knows
		return err
	}
	info, err := os.Lstat(old)
	switch {
	case err != nil:
		return err
	case info.Size() == 0: // there was none
		return disk.Remove(at)
	}
	return disk.Rename(old, at)
}

// checkObjects looks once more whether the objects are there: a prune between their writing and
// the commit point may have taken some. If it did, the branch goes back.
func (p *publication) checkObjects(ctx context.Context, eng engine, c cas) error {
	ok, err := eng.Complete(ctx)
	if ok && err == nil && p.commit.Join != nil { // most of its objects are not of our writing
		ok, err = p.reaches(ctx, c)
	}
	switch {
	case err != nil:
		return err
	case ok:
		return disk.Remove(markPath(p.state, oldIndex)) // nothing is under way any more
	}
	return errors.Join(object.ErrMoved, p.retract(ctx, p.state, c))
}
