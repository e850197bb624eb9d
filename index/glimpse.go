package index

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/naming"
)

// OpenGlimpse returns an empty mirror in memory and the files that ref may name, or
// nil where there is a mirror with rows. It implements [vault.Vault]'s Glimpse.
func (d *DB) OpenGlimpse(ctx context.Context, ref string) (*vault.Glimpse, error) {
	if filled, err := d.hasRows(ctx); err != nil || filled {
		return nil, err
	}
	p, err := openMemory(ctx, errors.New("for one answer"))
	if err != nil {
		return nil, err
	}
	near := &DB{path: d.path, opt: Options{Dir: d.opt.Dir, Now: d.opt.Now, Wait: d.opt.Wait}, pool: p}
	err = p.update(ctx, func(t *tx) error {
		s, err := loadState(t)
		s.filled = true
		t.Exec(indexes())
		s.save(t)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, near.Close())
	}
	return &vault.Glimpse{Mirror: near.Ports(), Names: d.pathsForRef(ref), Close: near.Close}, nil
}

// hasRows reports whether the mirror was filled once. It creates no file.
func (d *DB) hasRows(ctx context.Context) (filled bool, err error) {
	if _, err := os.Stat(d.path); errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	err = d.rebuilding(ctx, func(p *pool) error {
		if filled = p.filled.Load(); filled {
			return nil
		}
		s, err := p.state(ctx)
		filled = s.filled
		return err
	})
	return filled, err
}

// pathsForRef returns the paths that Find takes ref for.
func (d *DB) pathsForRef(ref string) []vault.Path {
	ref = strings.TrimSpace(ref)
	return naming.Files(ref, d.beneath(ref))
}
