package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/mattn/go-sqlite3"

	"github.com/cp-memory/cp/vault/disk"
)

// errVersion is found where another version of the program made the mirror.
var errVersion = errors.New("the index has another schema version")

// errDamaged is found where the rows are not what we wrote.
var errDamaged = errors.New("the index is damaged")

// verdict is what an error says about the mirror's file.
type verdict int

const (
	fine    verdict = iota // nothing: the error, if any, is not the file's
	damaged                // it has to be built again
	blocked                // it is sound but cannot be used now
)

// judge tells damage from a lock. A file that is only locked or read-only is
// never set aside: two programs would take turns throwing sound mirrors away.
func judge(err error) verdict {
	var e sqlite3.Error
	switch {
	case errors.Is(err, errVersion), errors.Is(err, errDamaged), errors.Is(err, errForeign):
		return damaged
	case errors.Is(err, errSwapped), errors.Is(err, errBuilding):
		return blocked
	case !errors.As(err, &e):
		if errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) {
			return blocked
		}
		return fine
	case e.ExtendedCode == sqlite3.ErrIoErrShortRead:
		return damaged
	}
	switch e.Code {
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrConstraint, sqlite3.ErrMismatch, sqlite3.ErrFormat, sqlite3.ErrError, sqlite3.ErrSchema:
		// Our statements are fixed and tested, so a constraint that fails or a
		// table that is missing (ErrError) was not of our making either.
		return damaged
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrReadonly, sqlite3.ErrIoErr, sqlite3.ErrFull, sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrProtocol, sqlite3.ErrAuth:
		return blocked
	}
	return fine
}

// swapped reports whether err is what a connection meets whose file is deleted
// or set aside by another process at that moment: a new one then works. The
// same codes come from a broken disk, so tries are bounded.
func swapped(err error) bool {
	var e sqlite3.Error
	return errors.Is(err, errSwapped) || errors.Is(err, os.ErrNotExist) || errors.As(err, &e) && (e.Code == sqlite3.ErrIoErr || e.Code == sqlite3.ErrProtocol || e.Code == sqlite3.ErrCantOpen)
}

// tries bounds how often a mirror is opened anew under one question.
const tries = 6

// heal runs fn on the mirror, and again on a new one where its file turns out
// to be damaged or of no use.
func (d *DB) heal(ctx context.Context, fn func(*pool) error) error {
	var err error
	for try := range tries { // swapped, set aside, set aside what another process left, memory
		var p *pool
		if p, err = d.use(ctx); err != nil {
			return err
		}
		if err = fn(p); err == nil || ctx.Err() != nil {
			return err
		}
		if swapped(err) && p.private == nil && try < tries-2 {
			d.forget(p)
			continue
		}
		v := judge(err)
		if v == fine && !d.uses(p) {
			continue // another goroutine replaced the mirror under our hands
		}
		if v == fine || p.private != nil && v == blocked {
			return err
		}
		if rerr := d.replace(ctx, p, v, err); rerr != nil {
			return errors.Join(err, rerr)
		}
	}
	return err
}

// use returns the open mirror, opening it if need be.
func (d *DB) use(ctx context.Context) (*pool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool != nil && d.pool.private == nil && d.moved() {
		_ = d.drop() // the file was deleted: people expect a new one there
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
		_ = d.drop()
	}
}

// uses reports whether p is still the open mirror.
func (d *DB) uses(p *pool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pool == p
}

// moved reports whether another file, or none, is now where the mirror was opened.
func (d *DB) moved() bool { return !isFile(d.path, d.pool.file) }

// open opens the file, setting a damaged one aside, or else a private mirror.
func (d *DB) open(ctx context.Context) (*pool, error) {
	var err error
	for range tries {
		var p *pool
		was, _ := os.Lstat(d.path)
		if p, err = d.openFile(ctx); err == nil || ctx.Err() != nil {
			return p, err
		}
		if swapped(err) {
			continue
		}
		if judge(err) != damaged || was == nil {
			break
		}
		if serr := d.file().setAside(was, errors.Is(err, errVersion)); serr != nil {
			break
		}
	}
	return openMemory(ctx, err)
}

// openFile opens the file, if it may be believed. An empty or missing one is made
// under the lock that setAside holds. What is left of its predecessor's log goes
// first: SQLite would cut the shared memory short under a process that still has the
// old file open, which that process does not survive.
func (d *DB) openFile(ctx context.Context) (*pool, error) {
	if d.file().begun() {
		return d.openFamiliar(ctx)
	}
	if err := disk.MkdirAll(filepath.Dir(d.path), 0o755); err != nil {
		return nil, err
	}
	unlock, err := d.file().lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if d.file().begun() { // another process was faster
		return d.openFamiliar(ctx)
	}
	key := newKey()
	if err := d.file().begin(key); err != nil {
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

// replace closes p and puts a new mirror in its place, unless another
// goroutine has done so.
func (d *DB) replace(ctx context.Context, p *pool, v verdict, why error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool != p {
		return nil
	}
	if err := d.drop(); err != nil && v == blocked {
		why = errors.Join(why, err)
	}
	err := why
	if v == damaged && p.private == nil {
		err = d.file().setAside(p.file, errors.Is(why, errVersion))
		if err == nil {
			return nil
		}
	}
	d.pool, err = openMemory(ctx, err)
	return err
}

// file is the mirror's, for what is done to it as a whole.
func (d *DB) file() file { return file{d.path, d.opt.Wait, d.opt.State} }
