package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// judge is [sqlite.Judge] with the errors of a mirror alone.
func judge(err error) sqlite.Verdict {
	switch {
	case errors.Is(err, errForeign):
		return sqlite.Damaged
	case errors.Is(err, errBuilding):
		return sqlite.Blocked
	}
	return sqlite.Judge(err)
}

// tries bounds how often a mirror is opened anew under one question.
const tries = 6

// rebuilding runs fn on the mirror, and again on a new one where its file turns out
// to be damaged or of no use.
func (d *DB) rebuilding(ctx context.Context, fn func(*pool) error) error {
	var err error
	for try := range tries { // swapped, set aside, set aside what another process left, memory
		var p *pool
		if p, err = d.use(ctx); err != nil {
			return err
		}
		if err = fn(p); err == nil || ctx.Err() != nil {
			return err
		}
		if sqlite.IsSwapped(err) && p.private == nil && try < tries-2 {
			d.forget(p)
			continue
		}
		if d.isHeldElsewhere(err) {
			return errHeld(err)
		}
		v := judge(err)
		if v == sqlite.Fine && !d.uses(p) {
			continue // another goroutine replaced the mirror under our hands
		}
		if v == sqlite.Fine || p.private != nil && v == sqlite.Blocked {
			return err
		}
		if rerr := d.replaceMirror(ctx, p, v, err); rerr != nil {
			return errors.Join(err, rerr)
		}
	}
	return err
}

// use returns the open mirror, opening it if need be.
func (d *DB) use(ctx context.Context) (*pool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool != nil && d.pool.private == nil && d.isMoved() {
		_ = d.closePool() // the file was deleted: people expect a new one there
	}
	if d.pool == nil {
		p, err := d.open(ctx)
		if err != nil {
			return nil, err
		}
		d.pool = p
	}
	return d.pool, nil
}

// forget closes p, so that the next use opens the file anew.
func (d *DB) forget(p *pool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool == p {
		_ = d.closePool()
	}
}

// uses reports whether p is still the open mirror.
func (d *DB) uses(p *pool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pool == p
}

// isMoved reports whether another file, or none, is now where the mirror was opened.
func (d *DB) isMoved() bool { return !sqlite.IsFile(d.path, d.pool.file) }

// open opens the file, setting a damaged one aside, or else a private mirror.
func (d *DB) open(ctx context.Context) (*pool, error) {
	if d.opt.Apart != nil {
		return openMemory(ctx, d.opt.Apart)
	}
	var err error
	for range tries {
		var p *pool
		was, _ := os.Lstat(d.path)
		if p, err = d.openFile(ctx); err == nil || ctx.Err() != nil {
			return p, err
		}
		if sqlite.IsSwapped(err) {
			continue
		}
		if judge(err) != sqlite.Damaged || was == nil {
			break
		}
		if serr := d.file().SetAside(was, errors.Is(err, sqlite.ErrVersion)); serr != nil {
			break
		}
	}
	if d.isHeldElsewhere(err) {
		return nil, errHeld(err)
	}
	return openMemory(ctx, err)
}

// isHeldElsewhere reports whether err says that another process holds the mirror, and nobody waits
// for that: a mirror in memory would take longer.
func (d *DB) isHeldElsewhere(err error) bool {
	return d.opt.Hasty && (errors.Is(err, errBuilding) || sqlite.Busy(err) || vault.CodeOf(err) == vault.CodeLocked)
}

func errHeld(err error) error {
	return vault.Errorf(vault.CodeLocked, "", "another process holds the index: %w", err)
}

// openFile opens the file if it may be believed. It makes an empty or missing one under
// the lock that setAside holds. It first removes the log of a predecessor: SQLite would
// otherwise cut the shared memory short under a process that still has the old file open,
// which kills that process.
func (d *DB) openFile(ctx context.Context) (*pool, error) {
	if d.file().hasContent() {
		return d.openFamiliar(ctx)
	}
	if err := disk.MkdirAll(filepath.Dir(d.path), 0o755); err != nil {
		return nil, err
	}
	unlock, err := d.file().Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if d.file().hasContent() { // another process was faster
		return d.openFamiliar(ctx)
	}
	key := newKey()
	if err := d.file().makeEmpty(key); err != nil {
		return nil, err
	}
	d.mine.Store(key)
	return openFile(ctx, d.path, d.opt.Wait, key)
}

// openFamiliar opens the file that there is, and fails with errForeign where this
// clone did not make it.
func (d *DB) openFamiliar(ctx context.Context) (*pool, error) {
	if err := d.familiar(ctx); err != nil {
		return nil, err
	}
	p, err := openFile(ctx, d.path, d.opt.Wait, 0)
	if err != nil {
		return nil, err
	}
	if err := d.trust(ctx, p); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// replaceMirror closes p and opens a new mirror in its place, unless another goroutine has done
// so already.
func (d *DB) replaceMirror(ctx context.Context, p *pool, v sqlite.Verdict, why error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool != p {
		return nil
	}
	if err := d.closePool(); err != nil && v == sqlite.Blocked {
		why = errors.Join(why, err)
	}
	err := why
	if v == sqlite.Damaged && p.private == nil {
		err = d.file().SetAside(p.file, errors.Is(why, sqlite.ErrVersion))
		if err == nil {
			return nil
		}
	}
	d.pool, err = openMemory(ctx, err)
	return err
}

// file is the mirror's, for what is done to it as a whole.
func (d *DB) file() file {
	return file{sqlite.File{Path: d.path, Wait: d.opt.Wait, State: d.opt.State}}
}
