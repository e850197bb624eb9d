package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
)

// pool is an open mirror: one connection that writes, several that read. A
// private mirror in memory has one connection for both.
type pool struct {
	write, read *sql.DB
	file        os.FileInfo // of the mirror's file when it was opened
	private     error       // why it is in memory; nil when it is not
	filled      atomic.Bool // known to have been filled once
	key         int64       // for tables that it makes itself
}

// openFile opens the mirror in a file, making its tables with the key if it is empty.
func openFile(ctx context.Context, path string, wait time.Duration, key int64) (*pool, error) {
	w, err := sqlite.DSN(path, wait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	r, _ := sqlite.DSN(path, wait, "&_query_only=on")
	was, _ := os.Lstat(path) // nil where the file is to be made, by us alone
	p := &pool{key: key}
	p.write = sql.OpenDB(sqlite.Connector{DSN: w, Path: path, File: &p.file})
	p.read = sql.OpenDB(sqlite.Connector{DSN: r, Path: path, File: &p.file})
	p.write.SetMaxOpenConns(1)
	p.read.SetMaxOpenConns(sqlite.Readers)
	p.read.SetMaxIdleConns(sqlite.Readers)
	if err := p.prepare(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.file, err = os.Lstat(path)
	if err == nil && was != nil && !os.SameFile(was, p.file) {
		err = sqlite.ErrSwapped
	}
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// openMemory opens an empty private mirror; why is the reason.
func openMemory(ctx context.Context, why error) (*pool, error) {
	db, err := sqlite.Memory()
	if err != nil {
		return nil, err
	}
	p := &pool{write: db, read: db, private: why, key: newKey()}
	if err := p.prepare(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// prepare makes the tables in an empty file, without their indexes, which come
// with the rows, and fails with sqlite.ErrVersion where there is another one.
func (p *pool) prepare(ctx context.Context) error {
	if err := query.InstallScoring(); err != nil {
		return err
	}
	version, err := p.version(ctx)
	if err != nil || version == schemaVersion {
		return err
	}
	if version != 0 {
		return sqlite.ErrVersion
	}
	return p.update(ctx, func(t *tx) error {
		if err := t.One(`PRAGMA user_version`, nil, &version); err != nil || version == schemaVersion {
			return err // another process was faster
		}
		t.Exec(schema())
		t.Exec(`INSERT INTO state (key, value) VALUES ('epoch', ?)`, p.key)
		t.Exec(`PRAGMA user_version = ` + strconv.Itoa(schemaVersion))
		return nil
	})
}

// version reads the schema version, which is 0 for an empty file. It asks the connection
// that reads: most commands never need the other one. An empty file has no log yet, which
// a connection that has read it would later open by name: only the one that writes may.
func (p *pool) version(ctx context.Context) (version int, err error) {
	db := p.read
	if db == nil || p.key != 0 {
		db = p.write
	}
	err = db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version)
	return version, err
}

func (p *pool) close() error {
	var err error
	if p.write != nil {
		err = p.write.Close()
	}
	if p.read != nil && p.read != p.write {
		err = errors.Join(err, p.read.Close())
	}
	return err
}

// tx is one transaction on a mirror.
type tx struct{ *sqlite.Tx }

func transact(ctx context.Context, db *sql.DB, begin string, fn func(*tx) error) error {
	return sqlite.Do(ctx, db, begin, func(t *sqlite.Tx) error { return fn(&tx{t}) })
}

// view runs fn on a snapshot.
func (p *pool) view(ctx context.Context, fn func(*tx) error) error {
	return transact(ctx, p.read, sqlite.Read, fn)
}

// update runs fn in a transaction that holds the write lock.
func (p *pool) update(ctx context.Context, fn func(*tx) error) error {
	return transact(ctx, p.write, sqlite.Write, fn)
}

// updateBriefly is update for a short note of one who reads, on the connection that reads: to open
// the other one costs more than the note. A lock that another writer holds is waited for
// no longer than patience.
func (p *pool) updateBriefly(ctx context.Context, patience time.Duration, fn func(*tx) error) error {
	conn, err := p.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var wait int
	if err := conn.QueryRowContext(ctx, `PRAGMA busy_timeout`).Scan(&wait); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA query_only = off; PRAGMA busy_timeout = %d`, patience.Milliseconds()))
	if err == nil {
		err = sqlite.On(ctx, conn, sqlite.Write, func(t *sqlite.Tx) error { return fn(&tx{t}) })
	}
	_, back := conn.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf(`PRAGMA busy_timeout = %d; PRAGMA query_only = %t`, wait, p.read != p.write))
	return errors.Join(err, back)
}

// state returns where the rows stand.
func (p *pool) state(ctx context.Context) (s state, err error) {
	err = p.view(ctx, func(t *tx) (err error) {
		s, err = loadState(t)
		return err
	})
	return s, err
}
