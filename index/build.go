package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// errBuilding is met when another process has been filling the mirror for longer
// than is waited.
var errBuilding = errors.New("another process is building the index")

// build fills a mirror that was never filled. A mirror in a file is made in another file,
// which then replaces it: so it needs no log, and nobody sees half of it. Other processes
// that want to fill it wait, and then find it done.
func (d *DB) build(ctx context.Context, p *pool, src vault.Source, w *work) error {
	if d.opt.Building != nil {
		defer d.opt.Building(len(w.looks))()
	}
	if p.private != nil {
		return p.update(ctx, func(t *tx) error { return w.fillMirror(t, src) })
	}
	unlock, err := d.file().Lock()
	if vault.CodeOf(err) == vault.CodeLocked {
		return fmt.Errorf("%w: %w", errBuilding, err)
	}
	if err != nil {
		return err
	}
	defer unlock()
	if !sqlite.IsFile(d.path, p.file) {
		return sqlite.ErrSwapped
	}
	next, key := sqlite.File{Path: d.path + ".next"}, newKey()
	if err := errors.Join(sqlite.Discard(next.Path), next.RemoveLog()); err != nil {
		return err
	}
	if err := w.writeMirror(ctx, next.Path, src, key); err != nil {
		return errors.Join(err, disk.Remove(next.Path))
	}
	if err := d.file().become(next, key); err != nil {
		return err
	}
	d.mine.Store(key)
	d.forget(p)
	return nil
}

// writeMirror makes a filled mirror in the new file path.
func (w *work) writeMirror(ctx context.Context, path string, src vault.Source, key int64) error {
	// C's malloc has a heap for each thread, and all go on to take memory.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	name, err := sqlite.DSN(path, 0, "&_journal_mode=OFF&_locking_mode=EXCLUSIVE&_mutex=no")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite3", name)
	if err != nil {
		return err
	}
	p := &pool{write: db, key: key}
	db.SetMaxOpenConns(1)
	// Nothing but FTS5 reads what was written, so a small cache does, which the
	// sorting for the indexes is bound by too.
	if _, err = db.ExecContext(ctx, `PRAGMA cache_size = -4096`); err == nil {
		err = p.prepare(ctx)
	}
	if err == nil {
		err = p.update(ctx, func(t *tx) error { return w.fillMirror(t, src) })
	}
	// Who opens a file that has a log opens both, and not a later file's log with this file.
	if err == nil {
		_, err = db.ExecContext(ctx, `PRAGMA journal_mode = WAL`)
	}
	return errors.Join(err, p.close())
}
