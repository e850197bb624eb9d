package gitstore

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Recover recovers from a publication that was killed: it removes
// git's locks that are provably ours, puts the index back if the branch
// did not move, and takes the branch back if objects of its commit are
// missing. Run again, it changes nothing.
//
// It refuses, before anything is written, where the file system has no hard links: each of
// our locks is one, and no write could end.
func (r *Repo) Recover(ctx context.Context, state string) error {
	if err := disk.TryLink(filepath.Join(state, "lock"), markPath(state, "link")); err != nil {
		return noLinks(state, err)
	}
	c, err := readCAS(state)
	if err != nil {
		return plumb.IOError(err)
	}
	if err := r.dropLocks(state, c.Ref); err != nil {
		return plumb.IOError(err)
	}
	if c.Op != "" && underWay(state) {
		err = r.undoCAS(ctx, state, c)
	}
	return plumb.IOError(errors.Join(err, r.dropLeftovers(state)))
}

func noLinks(state string, err error) error {
	return &vault.Error{Code: vault.CodeIO, Err: err,
		Msg:  "the file system of " + state + " has no hard links, as exFAT and FAT have none, and git's locks are taken by them",
		Hint: "keep the clone on another file system; what only reads works here"}
}

// dropLocks removes the locks that are other names of our markers.
func (r *Repo) dropLocks(state, ref string) error {
	locks := []gitLock{r.indexLock(state), r.headLock(state), r.gcLock(state)}
	if plumb.ValidRef(ref) { // the record is older than any lock of the ref
		locks = append(locks, r.refLock(state, ref))
	}
	var errs []error
	for _, l := range locks {
		errs = append(errs, l.release())
	}
	return errors.Join(errs...)
}

// undoCAS undoes a publication that did not reach its commit point, or whose
// objects a prune has taken.
func (r *Repo) undoCAS(ctx context.Context, state string, c cas) error {
	ref, at, err := r.refs().head(ctx)
	switch {
	case err != nil || ref != c.Ref:
		return err
	case at == c.Old:
		return r.withIndexLock(ctx, move{ref: c.Ref, state: state}, func(refs) error { return r.restoreIndex(state, c) })
	case at != c.New:
		return nil
	}
	ok, err := r.reaches(ctx, c)
	if ok || err != nil {
		return err
	}
	return r.retract(ctx, state, c)
}

// reaches reports whether the repository holds every object that the record's commit needs
// and the one before did not.
func (r *Repo) reaches(ctx context.Context, c cas) (bool, error) {
	if c.Old == "" {
		return r.HasAllObjects(ctx, c.New)
	}
	return r.HasAllObjects(ctx, c.New, "^"+c.Old)
}

// retract takes the branch back from a commit whose objects are missing, and then the index.
func (r *Repo) retract(ctx context.Context, state string, c cas) error {
	m := move{
		ref: c.Ref, old: c.New, new: c.Old, state: state, zero: r.IDs.Zero(),
		who: plumb.Identity{Name: "cp", Email: "cp@localhost"}.WithTime(time.Now()), why: "cp: undo, objects were pruned",
	}
	return r.withIndexLock(ctx, m, func(refs refs) error {
		if err := refs.update(ctx, m, func() error { return nil }); err != nil {
			return err
		}
		return r.restoreIndex(state, c)
	})
}

// dropLeftovers removes what a killed publication had made ready.
func (r *Repo) dropLeftovers(state string) error {
	var errs []error
	for _, name := range []string{newIndex, newIndex + ".lock", oldIndex, casRecord + ".tmp"} {
		errs = append(errs, disk.Remove(markPath(state, name)))
	}
	return errors.Join(errs...)
}
