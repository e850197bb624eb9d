package usage

import (
	"context"
	"database/sql"
	_ "embed"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

//go:embed usage.sql
var schema string

// wait bounds how long a reading waits to be counted behind others.
const wait = 5 * time.Second

// DB is the telemetry of one clone. A nil *DB counts nothing and knows of no
// readings: what is wired where the file cannot be opened. An error of its methods
// is no reason to fail a read; it is for a debug note.
type DB struct {
	path string
	then func(*DB)

	mu    sync.Mutex
	tried bool
	still error   // why nothing can be counted; nil where it can
	db    *sql.DB // nil where it could not be opened
}

// New returns telemetry that opens its file with the first question, since most
// commands have none; then, unless it is nil, is called when it is open. Where nothing can
// be written the counts are those of the file, and [DB.Touch] says why it does not count.
func New(path string, then func(*DB)) *DB { return &DB{path: path, then: then} }

// open returns the open file; nil for none.
func (u *DB) open() *sql.DB {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.tried {
		u.tried = true
		open, err := Open(u.path)
		switch u.still = err; {
		case err != nil:
			u.db = openStill(u.path)
		case u.then != nil:
			u.then(open)
			fallthrough
		default:
			u.db = open.db
		}
	}
	return u.db
}

// openStill opens a file that can only be read. SQLite keeps a shared memory beside each
// file that has a log; where that cannot be made either, the file is taken as it is. It
// returns nil for none.
func openStill(path string) *sql.DB {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	for _, how := range []string{"&mode=ro", "&mode=ro&immutable=1"} {
		db, err := sqlite.Open(path, wait, how)
		if err != nil {
			return nil
		}
		if is := 0; db.QueryRow(`PRAGMA user_version`).Scan(&is) == nil && is == version {
			return db
		}
		_ = db.Close()
	}
	return nil
}

// Open opens or creates the telemetry file path and its folder. A file that is no
// database is set aside as .bad and begun anew.
func Open(path string) (*DB, error) {
	if err := sqlite.CheckBuild(); err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	was, _ := os.Lstat(path)
	u, err := openFile(path)
	if sqlite.Judge(err) != sqlite.Damaged || was == nil {
		return u, err
	}
	if err := (sqlite.File{Path: path, Wait: wait}).SetAside(was, false); err != nil {
		return nil, err
	}
	return openFile(path)
}

func openFile(path string) (*DB, error) {
	db, err := sqlite.Open(path, wait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	if err := lay(db); err != nil {
		_ = db.Close()
		return nil, err
	}
	return &DB{tried: true, db: db}, nil
}

// version is the PRAGMA user_version of a file that has the tables of usage.sql.
// Others are given them; making sure each time takes the write lock.
const version = 1

func lay(db *sql.DB) error {
	var is int
	if err := db.QueryRow(`PRAGMA user_version`).Scan(&is); err != nil || is == version {
		return err
	}
	_, err := db.Exec(schema + `PRAGMA user_version = ` + strconv.Itoa(version))
	return err
}

// Close closes the file.
func (u *DB) Close() error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.db == nil {
		return nil
	}
	return u.db.Close()
}

// view runs fn on a snapshot; where there is no file it is not run.
func (u *DB) view(ctx context.Context, fn func(*sqlite.Tx) error) error {
	return u.do(ctx, sqlite.Read, fn)
}

// inWriteTx runs fn in a transaction that writes, unless there is no file. The changes of fn
// are the next state.
func (u *DB) inWriteTx(ctx context.Context, fn func(*sqlite.Tx)) error {
	return u.do(ctx, sqlite.Write, func(t *sqlite.Tx) error {
		t.Exec(`UPDATE state SET seq = seq + 1`)
		fn(t)
		return nil
	})
}

func (u *DB) do(ctx context.Context, begin string, fn func(*sqlite.Tx) error) error {
	db := u.open()
	if db == nil {
		return nil
	}
	return sqlite.Do(ctx, db, begin, fn)
}

// Touch counts the readings in one transaction, so that none is lost however
// many processes read at once. Of each memory the last vault.LogLimit are logged. The
// error says why they are not counted.
func (u *DB) Touch(ctx context.Context, reads []vault.Access) error {
	if len(reads) == 0 {
		return nil
	}
	if u.open(); u != nil && u.still != nil {
		return u.still
	}
	return u.inWriteTx(ctx, func(t *sqlite.Tx) {
		for _, r := range reads {
			at := r.At.UTC().Format(time.RFC3339)
			t.Exec(`INSERT INTO reads (id, count, last, seq) VALUES (?, 1, ?, (SELECT seq FROM state))
				ON CONFLICT (id) DO UPDATE SET count = count + 1, last = max(last, excluded.last), seq = excluded.seq`, r.ID, at)
			t.Exec(`INSERT INTO log (id, at, agent, depth) VALUES (?, ?, ?, ?)`, r.ID, at, r.By, r.Depth)
			t.Exec(`DELETE FROM log WHERE n IN (SELECT n FROM log WHERE id = ? ORDER BY at DESC, n DESC LIMIT -1 OFFSET ?)`, r.ID, vault.LogLimit)
		}
	})
}

// Total is what all clones together have counted of one memory.
type Total struct {
	ID    string
	Count int64
	Last  string // RFC 3339, UTC
}

func total(r *sqlite.Row) Total { return Total{r.Text(), r.Int64(), r.Text()} }

// totals selects the sums of all clones' counts that pass a WHERE clause.
func totals(where string) string {
	return `SELECT id, sum(count), max(last) FROM (
		SELECT id, count, last FROM reads ` + where + ` UNION ALL
		SELECT id, count, last FROM team ` + where + `) GROUP BY id`
}

// manyIDs is from where on Reads looks at all that was ever read: most of a vault
// never was.
const manyIDs = 2000

// Reads returns the telemetry of the ids that were ever read. It may hold others, too.
func (u *DB) Reads(ctx context.Context, ids []vault.ID) (map[vault.ID]vault.Reads, error) {
	all := make(map[vault.ID]vault.Reads)
	if len(ids) == 0 {
		return all, nil
	}
	query, args := totals(`WHERE id IN (SELECT value FROM json_each(?1))`), []any{sqlite.List(ids)}
	if len(ids) > manyIDs {
		query, args = totals(``), nil
	}
	err := u.view(ctx, func(t *sqlite.Tx) error {
		return t.Each(query, args, func(r *sqlite.Row) error {
			one := total(r)
			last, err := time.Parse(time.RFC3339, one.Last)
			all[vault.ID(one.ID)] = vault.Reads{Count: int(one.Count), Last: last}
			return err
		})
	})
	return all, err
}

// Log returns the last readings of one memory, the newest first.
func (u *DB) Log(ctx context.Context, id vault.ID) (all []vault.Access, err error) {
	err = u.view(ctx, func(t *sqlite.Tx) error {
		return t.Each(`SELECT at, agent, depth FROM log WHERE id = ? ORDER BY at DESC, n DESC`, []any{id}, func(r *sqlite.Row) error {
			at, err := time.Parse(time.RFC3339, r.Text())
			all = append(all, vault.Access{ID: id, At: at, By: r.Text(), Depth: r.Int()})
			return err
		})
	})
	return all, err
}

// Forget drops deleted memories.
func (u *DB) Forget(ctx context.Context, ids []vault.ID) error {
	if len(ids) == 0 {
		return nil
	}
	return u.inWriteTx(ctx, func(t *sqlite.Tx) {
		for _, table := range []string{`reads`, `team`, `log`} {
			t.Exec(`DELETE FROM `+table+` WHERE id IN (SELECT value FROM json_each(?))`, sqlite.List(ids))
		}
		t.Exec(`UPDATE state SET epoch = epoch + 1`)
	})
}
