package index

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3"
)

// readers bounds the connections of one process that read at once.
const readers = 4

// pool is an open mirror: one connection that writes, several that read. A
// private mirror in memory has one connection for both.
type pool struct {
	write, read *sql.DB
	file        os.FileInfo // of the mirror's file when it was opened
	private     error       // why it is in memory; nil when it is not
	filled      atomic.Bool // known to have been filled once
	key         int64       // for tables that it makes itself
}

// dsn returns the data source name of a file. Everything is set here and not
// by PRAGMA, which would reach one connection of the pool only. Without
// _txlock=immediate a transaction that reads and then writes fails with
// SQLITE_BUSY at once, whatever the timeout.
func dsn(path string, wait time.Duration, more string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", Path: abs}
	return u.String() + "?_busy_timeout=" + strconv.FormatInt(wait.Milliseconds(), 10) +
		"&_foreign_keys=on&_synchronous=NORMAL&_stmt_cache_size=96&_cache_size=-65536" + more, nil
}

// connector opens the connections of one pool. They leave the log where it is
// when they close, cut to nothing: the last one of a deleted file would else
// unlink, by its name, the log of the file that has taken its place.
type connector struct {
	dsn, path string
	pool      *pool
}

func (c connector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.Driver().Open(c.dsn)
	if err != nil {
		return nil, err
	}
	sqlite := conn.(*sqlite3.SQLiteConn)
	err = sqlite.SetFileControlInt("", sqlite3.SQLITE_FCNTL_PERSIST_WAL, 1)
	if err == nil {
		_, err = sqlite.Exec(`PRAGMA journal_size_limit = 4194304`, nil) // any limit cuts the log on close
	}
	if err == nil && c.pool.file != nil && !isFile(c.path, c.pool.file) {
		err = errSwapped
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func (connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

// errSwapped is met when another file, or none, is where the mirror was opened.
var errSwapped = errors.New("the index was replaced by another process")

func isFile(path string, file os.FileInfo) bool {
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(now, file)
}

// openFile opens the mirror in a file, making its tables with the key if it is empty.
func openFile(ctx context.Context, path string, wait time.Duration, key int64) (*pool, error) {
	w, err := dsn(path, wait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	r, _ := dsn(path, wait, "&_query_only=on")
	was, _ := os.Lstat(path) // nil where the file is to be made, by us alone
	p := &pool{key: key}
	p.write, p.read = sql.OpenDB(connector{w, path, p}), sql.OpenDB(connector{r, path, p})
	p.write.SetMaxOpenConns(1)
	p.read.SetMaxOpenConns(readers)
	p.read.SetMaxIdleConns(readers)
	if err := p.prepare(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.file, err = os.Lstat(path)
	if err == nil && was != nil && !os.SameFile(was, p.file) {
		err = errSwapped
	}
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// openMemory opens an empty private mirror; why is the reason.
func openMemory(ctx context.Context, why error) (*pool, error) {
	db, err := sql.Open("sqlite3", "file::memory:?_foreign_keys=on&_txlock=immediate&_stmt_cache_size=96")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each further connection would be another, empty memory
	p := &pool{write: db, read: db, private: why, key: newKey()}
	if err := p.prepare(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// prepare makes the tables in an empty file, without their indexes, which come
// with the rows, and fails with errVersion where there is another one.
func (p *pool) prepare(ctx context.Context) error {
	version, err := p.version(ctx)
	if err != nil || version == schemaVersion {
		return err
	}
	if version != 0 {
		return errVersion
	}
	return p.update(ctx, func(t *tx) error {
		if err := t.one(`PRAGMA user_version`, nil, &version); err != nil || version == schemaVersion {
			return err // another process was faster
		}
		if err := t.exec(schema); err != nil {
			return err
		}
		if err := t.exec(`INSERT INTO state (key, value) VALUES ('epoch', ?)`, p.key); err != nil {
			return err
		}
		return t.exec(`PRAGMA user_version = ` + strconv.Itoa(schemaVersion))
	})
}

// version reads the schema version; that of an empty file is 0. It asks the
// connection that reads: most commands never need the other one.
func (p *pool) version(ctx context.Context) (version int, err error) {
	db := p.read
	if db == nil {
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

// view runs fn on a snapshot.
func (p *pool) view(ctx context.Context, fn func(*tx) error) error {
	return transact(ctx, p.read, toRead, fn)
}

// update runs fn in a transaction that holds the write lock. One that reads
// first and writes then would fail with SQLITE_BUSY at once, whatever the timeout.
func (p *pool) update(ctx context.Context, fn func(*tx) error) error {
	return transact(ctx, p.write, toWrite, fn)
}

// attempt is update where a lock that another writer holds is not waited for.
func (p *pool) attempt(ctx context.Context, fn func(*tx) error) error {
	var wait int
	err := p.write.QueryRowContext(ctx, `PRAGMA busy_timeout`).Scan(&wait)
	if err == nil {
		_, err = p.write.ExecContext(ctx, `PRAGMA busy_timeout = 0`)
	}
	if err != nil {
		return err
	}
	err = p.update(ctx, fn)
	_, back := p.write.ExecContext(context.WithoutCancel(ctx), `PRAGMA busy_timeout = `+strconv.Itoa(wait))
	return errors.Join(err, back)
}

// How transactions begin.
const (
	toRead  = `BEGIN`
	toWrite = `BEGIN IMMEDIATE`
)

// transact runs fn in a transaction on one connection. It is not an sql.Tx:
// database/sql and the driver start a goroutine for every statement of one, which
// was a third of a rebuild.
func transact(ctx context.Context, db *sql.DB, begin string, fn func(*tx) error) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, begin); err != nil {
		return err
	}
	t := &tx{ctx: ctx, sql: conn}
	open := true
	defer func() {
		if open { // an error, or a panic on its way up
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		}
	}()
	if err := fn(t); err != nil {
		return err
	}
	if err := t.exec(`COMMIT`); err != nil {
		return err
	}
	open = false
	return nil
}
