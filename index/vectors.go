package index

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/embed"
)

//go:embed vectors.sql
var vectorsSchema string

// vectorsVersion is the version of vectors.sql, kept as the file's user_version.
const vectorsVersion = 1

// vectorsWait bounds how long a process waits for another that writes vectors.
const vectorsWait = 10 * time.Second

// Vectors is the file of a clone's vectors. It implements [embed.Vectors].
//
// Nothing is opened before the first question, and no file is made before the
// first vector. A file that is damaged, or of another version, is set aside as
// .bad; the question that found it ends in an error that says so.
type Vectors struct {
	path string

	mu   sync.Mutex
	pool pool // its halves are opened when they are needed
}

// NewVectors returns the vectors kept in the file path, usually vectors.db.
func NewVectors(path string) *Vectors { return &Vectors{path: path} }

// Close closes the file.
func (v *Vectors) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	err := v.pool.close()
	v.pool.read, v.pool.write = nil, nil
	return err
}

// view runs fn on a snapshot of the vectors; where there is no file it is not run.
func (v *Vectors) view(ctx context.Context, fn func(*tx) error) error {
	if info, err := os.Stat(v.path); errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	return v.do(ctx, &v.pool.read, toRead, "&_query_only=on", checkVectors, fn)
}

// update runs fn in a transaction that holds the write lock, making the file if need be.
func (v *Vectors) update(ctx context.Context, fn func(*tx) error) error {
	if err := disk.MkdirAll(filepath.Dir(v.path), 0o755); err != nil {
		return err
	}
	return v.do(ctx, &v.pool.write, toWrite, "&_journal_mode=WAL&_txlock=immediate", layVectors, fn)
}

// do runs fn in a transaction of the half of the pool, which it opens with more
// and readies at first use.
func (v *Vectors) do(ctx context.Context, half **sql.DB, begin, more string, ready func(*tx) error, fn func(*tx) error) error {
	db, err := v.open(ctx, half, begin, more, ready)
	if err == nil {
		err = transact(ctx, db, begin, fn)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	switch judge(err) {
	case damaged:
		return v.spoilt(err)
	case blocked:
		return vault.Errorf(vault.CodeIO, "check the file's permissions and the space on the disk", "the vectors in %s cannot be used: %w", v.path, err)
	}
	return err
}

func (v *Vectors) open(ctx context.Context, half **sql.DB, begin, more string, ready func(*tx) error) (*sql.DB, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if *half != nil {
		return *half, nil
	}
	v.pool.file, _ = os.Lstat(v.path)
	name, err := dsn(v.path, vectorsWait, more)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	err = v.whole(ctx, db)
	if err == nil {
		err = transact(ctx, db, begin, ready)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	*half = db
	return db, nil
}

// whole fails where the file ends in the middle of a page, which SQLite would
// fill up with zeros.
func (v *Vectors) whole(ctx context.Context, db *sql.DB) error {
	var page int64
	if err := db.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&page); err != nil {
		return err
	}
	if v.pool.file != nil && v.pool.file.Size()%page != 0 {
		return errDamaged
	}
	return nil
}

// checkVectors fails where the file is not of our version.
func checkVectors(t *tx) error {
	var version int
	err := t.one(`PRAGMA user_version`, nil, &version)
	if err == nil && version != vectorsVersion {
		err = errVersion
	}
	return err
}

// layVectors makes the tables of a file that is new.
func layVectors(t *tx) error {
	var version, tables int
	if err := t.one(`SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version`, nil, &version, &tables); err != nil {
		return err
	}
	if version != 0 || tables > 0 {
		return checkVectors(t)
	}
	if err := t.exec(vectorsSchema); err != nil {
		return err
	}
	return t.exec(`PRAGMA user_version = ` + strconv.Itoa(vectorsVersion))
}

// spoilt sets the damaged file aside and says so.
func (v *Vectors) spoilt(why error) error {
	_, was := v.Close(), v.pool.file
	const hint = "cp admin embed-backfill makes them again"
	if was != nil {
		if err := (file{path: v.path, wait: vectorsWait}).setAside(was, false); err != nil {
			return vault.Errorf(vault.CodeDamaged, "move "+v.path+" away; "+hint, "the vectors are damaged: %w", why)
		}
	}
	if errors.Is(why, errVersion) {
		return vault.Errorf(vault.CodeDamaged, hint, "the vectors were made by another version of cp and are set aside as %s.bad", v.path)
	}
	return vault.Errorf(vault.CodeDamaged, hint, "the vectors were damaged and are set aside as %s.bad", v.path)
}

// Spaces lists the spaces there are vectors of, the newest first.
func (v *Vectors) Spaces(ctx context.Context) ([]embed.Stored, error) {
	var all []embed.Stored
	err := v.view(ctx, func(t *tx) error {
		return t.each(`SELECT s.model, s.dimension, s.scheme, sum(length(c.contents)) / 16 FROM spaces s JOIN chunks c ON c.s = s.s
			GROUP BY s.s ORDER BY s.s DESC`, nil, func(scan scanner) error {
			var s embed.Stored
			err := scan(&s.Model, &s.Dimension, &s.Scheme, &s.Count)
			all = append(all, s)
			return err
		})
	})
	return all, err
}

// spaceOf returns the number of a space; the error is sql.ErrNoRows where there is none.
func (t *tx) spaceOf(s embed.Space) (n int64, err error) {
	err = t.one(`SELECT s FROM spaces WHERE model = ? AND dimension = ? AND scheme = ?`, []any{s.Model, s.Dimension, s.Scheme}, &n)
	return n, err
}
