package gitstore

import (
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// Holds reports whether the commit of that operation is reachable from HEAD.
func (r *Repo) Holds(ctx context.Context, op, state string) (bool, error) {
	head, err := r.Tip(ctx)
	if err != nil || head == "" {
		return false, err
	}
	c, err := readCAS(state)
	if err != nil {
		return false, plumb.IOError(err)
	}
	if c.Op == op {
		if held, err := r.Includes(ctx, head, c.New); held && err == nil {
			return true, nil
		}
	}
	return r.Made(ctx, op, head)
}

// Objects opens the objects as they are stored.
func (r *Repo) Objects() (object.Store, error) {
	if r.format.strange || r.plumbingOnly {
		return object.OpenCommand(r.Git), nil
	}
	return r.openObjects()
}

// openObjects opens the objects without git.
func (r *Repo) openObjects() (*object.DB, error) {
	return object.Open(filepath.Join(r.CommonDir(), "objects"), r.IDs)
}

// Reader opens the objects, and the texts that the work tree would hold at the paths.
func (r *Repo) Reader(ctx context.Context, paths []string) (object.Database, error) {
	x, err := r.survey()
	if err != nil {
		return object.Database{}, plumb.IOError(err)
	}
	plain := x.Named
	if plain {
		plain, err = r.plain(ctx, x.Attribute, paths)
	}
	if err != nil || !plain {
		return r.openPlumber().Database, err
	}
	eng, err := r.openNative(nil)
	return eng.Database, err
}
