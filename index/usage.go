package index

import (
	"context"
	"database/sql"
	_ "embed"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

//go:embed usage.sql
var usageSchema string

// usageWait bounds how long a reading waits to be counted behind others.
const usageWait = 5 * time.Second

// Usage is the access telemetry of one clone, kept in its own file so that it
// outlives the index. A nil *Usage counts nothing and knows of no readings:
// what is wired where the file cannot be opened. An error of its methods is no
// reason to fail a read; it is for a debug note.
type Usage struct {
	path string
	then func(*Usage)

	mu    sync.Mutex
	tried bool
	db    *sql.DB // nil where it could not be opened
}

// NewUsage returns telemetry that opens its file with the first question, since
// most commands have none; then, unless it is nil, is called when it is open. One
// that cannot be opened is as nil.
func NewUsage(path string, then func(*Usage)) *Usage { return &Usage{path: path, then: then} }

// open returns the open file; nil for none.
func (u *Usage) open() *sql.DB {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.tried {
		u.tried = true
		if open, err := OpenUsage(u.path); err == nil {
			u.db = open.db
			if u.then != nil {
				u.then(open)
			}
		}
	}
	return u.db
}

// OpenUsage opens or creates the telemetry file path and its folder. A file
// that is no database is set aside as .bad and begun anew.
func OpenUsage(path string) (*Usage, error) {
	if err := Built(); err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	u, err := openUsage(path)
	if judge(err) != damaged {
		return u, err
	}
	for _, log := range []string{"-shm", "-wal"} {
		if err := disk.Remove(path + log); err != nil {
			return nil, err
		}
	}
	if err := disk.Rename(path, path+".bad"); err != nil {
		return nil, err
	}
	return openUsage(path)
}

func openUsage(path string) (*Usage, error) {
	name, err := dsn(path, usageWait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	if err := makeUsage(db); err != nil {
		_ = db.Close()
		return nil, err
	}
	return &Usage{tried: true, db: db}, nil
}

// usageVersion is the PRAGMA user_version of a file that has the tables of
// usage.sql. Others are given them; making sure each time takes the write lock.
const usageVersion = 1

func makeUsage(db *sql.DB) error {
	var version int
	if err := db.QueryRow(`PRAGMA user_version`).Scan(&version); err != nil || version == usageVersion {
		return err
	}
	_, err := db.Exec(usageSchema + `PRAGMA user_version = ` + strconv.Itoa(usageVersion))
	return err
}

// Close closes the file.
func (u *Usage) Close() error {
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

// Touch counts the readings in one transaction, so that none is lost however
// many processes read at once. Of each memory the last vault.LogLimit are logged.
func (u *Usage) Touch(ctx context.Context, reads []vault.Access) error {
	db := u.open()
	if db == nil || len(reads) == 0 {
		return nil
	}
	return transact(ctx, db, toWrite, func(t *tx) error {
		if err := t.exec(`UPDATE state SET seq = seq + 1`); err != nil {
			return err
		}
		for _, r := range reads {
			if err := t.touch(r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) touch(r vault.Access) error {
	at := r.At.UTC().Format(time.RFC3339)
	err := t.exec(`INSERT INTO reads (id, count, last, seq) VALUES (?, 1, ?, (SELECT seq FROM state))
		ON CONFLICT (id) DO UPDATE SET count = count + 1, last = max(last, excluded.last), seq = excluded.seq`, r.ID, at)
	if err != nil {
		return err
	}
	if err := t.exec(`INSERT INTO log (id, at, agent, depth) VALUES (?, ?, ?, ?)`, r.ID, at, r.By, r.Depth); err != nil {
		return err
	}
	return t.exec(`DELETE FROM log WHERE n IN (SELECT n FROM log WHERE id = ? ORDER BY at DESC, n DESC LIMIT -1 OFFSET ?)`, r.ID, vault.LogLimit)
}

// counted is the query for the sums of all clones' counts of the ids that
// another one selects.
func counted(ids string) string {
	return `SELECT id, sum(count), max(last) FROM (
		SELECT id, count, last FROM reads WHERE id IN (` + ids + `) UNION ALL
		SELECT id, count, last FROM team WHERE id IN (` + ids + `)) GROUP BY id`
}

// manyIDs is from where on Reads looks at all that was ever read: most of a vault
// never was.
const manyIDs = 2000

// Reads returns the telemetry of those ids that were ever read.
func (u *Usage) Reads(ctx context.Context, ids []vault.ID) (map[vault.ID]vault.Reads, error) {
	if len(ids) == 0 || u.open() == nil {
		return map[vault.ID]vault.Reads{}, nil
	}
	if len(ids) <= manyIDs {
		return u.reads(ctx, counted(`SELECT value FROM json_each(?1)`), list(ids))
	}
	all, err := u.reads(ctx, `SELECT id, sum(count), max(last) FROM (SELECT id, count, last FROM reads UNION ALL SELECT id, count, last FROM team) GROUP BY id`)
	asked := make(map[vault.ID]vault.Reads)
	for _, id := range ids {
		if r, ok := all[id]; ok {
			asked[id] = r
		}
	}
	return asked, err
}

func (u *Usage) reads(ctx context.Context, query string, args ...any) (map[vault.ID]vault.Reads, error) {
	all := make(map[vault.ID]vault.Reads)
	err := u.each(ctx, query, args, func(scan scanner) error {
		var id vault.ID
		var r vault.Reads
		var last string
		if err := scan(&id, &r.Count, &last); err != nil {
			return err
		}
		var err error
		r.Last, err = time.Parse(time.RFC3339, last)
		all[id] = r
		return err
	})
	return all, err
}

// Log returns the last readings of one memory, the newest first.
func (u *Usage) Log(ctx context.Context, id vault.ID) ([]vault.Access, error) {
	var all []vault.Access
	if u.open() == nil {
		return nil, nil
	}
	err := u.each(ctx, `SELECT at, agent, depth FROM log WHERE id = ? ORDER BY at DESC, n DESC`, []any{id}, func(scan scanner) error {
		a := vault.Access{ID: id}
		var at string
		if err := scan(&at, &a.By, &a.Depth); err != nil {
			return err
		}
		var err error
		a.At, err = time.Parse(time.RFC3339, at)
		all = append(all, a)
		return err
	})
	return all, err
}

// Forget drops deleted memories.
func (u *Usage) Forget(ctx context.Context, ids []vault.ID) error {
	if len(ids) == 0 || u.open() == nil {
		return nil
	}
	return transact(ctx, u.open(), toWrite, func(t *tx) error {
		for _, query := range []string{
			`DELETE FROM reads WHERE id IN (SELECT value FROM json_each(?))`,
			`DELETE FROM team WHERE id IN (SELECT value FROM json_each(?))`,
			`DELETE FROM log WHERE id IN (SELECT value FROM json_each(?))`,
		} {
			if err := t.exec(query, list(ids)); err != nil {
				return err
			}
		}
		return t.exec(`UPDATE state SET seq = seq + 1, epoch = epoch + 1`)
	})
}

// each runs a query outside of a transaction, which would take the write lock.
func (u *Usage) each(ctx context.Context, query string, args []any, fn func(scanner) error) error {
	rows, err := u.open().QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(scanRow(rows)); err != nil {
			return err
		}
	}
	return rows.Err()
}
