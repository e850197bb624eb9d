package vectors

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// The statements that make the tables. What came with versions 2 and 3 is by itself.
var (
	//go:embed vectors.sql
	schema string
	//go:embed texts.sql
	texts string
	//go:embed pages.sql
	pages string
)

// version is the version of the tables, kept as the file's user_version. Version 1 kept vectors
// of whole memories, old; version 2 a row for each vector.
const (
	version = 3
	single  = 2
	old     = 1
)

// wait bounds how long a process waits for another that writes vectors.
const wait = 10 * time.Second

// DB is the file of a clone's vectors. It implements [embed.Vectors].
//
// Nothing is opened before the first question, and no file is made before the
// first vector. A file that is damaged, or of another version, is set aside as
// .bad; the question that found it ends in an error that says so. A file of version 2 answers
// as it stands; in one of version 1 no content is noted. The first write brings them to this
// version, and all their vectors stay.
type DB struct {
	path    string
	scanned int         // numbers up to which all are weighed
	warm    atomic.Bool // all were weighed before, in this process

	mu          sync.Mutex
	read, write *sql.DB // opened when they are needed
	file        os.FileInfo
}

// New returns the vectors kept in the file path, usually vectors.db.
func New(path string) *DB { return &DB{path: path, scanned: scanned} }

// Close closes the file.
func (v *DB) Close() (err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, half := range []**sql.DB{&v.write, &v.read} {
		if *half != nil {
			err = errors.Join(err, (*half).Close())
		}
		*half = nil
	}
	return err
}

// view runs fn on a snapshot of the vectors; where there is no file, or one of version 1,
// it is not run.
func (v *DB) view(ctx context.Context, fn func(*sqlite.Tx) error) error {
	return v.viewAnyVersion(ctx, func(t *sqlite.Tx) error {
		if is, err := versionOf(t); err != nil || is == old { // another process may renew it meanwhile
			return err
		}
		return fn(t)
	})
}

// viewAnyVersion does what view does, also where the version is 1.
func (v *DB) viewAnyVersion(ctx context.Context, fn func(*sqlite.Tx) error) error {
	if info, err := os.Stat(v.path); errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	err := v.doInHalf(ctx, &v.read, sqlite.Read, "&_query_only=on", checkVersion, fn)
	if errors.Is(err, errUnlaid) {
		return nil
	}
	return err
}

// inWriteTx runs fn in a transaction that holds the write lock, making the file if need be.
func (v *DB) inWriteTx(ctx context.Context, fn func(*sqlite.Tx) error) error {
	if err := disk.MkdirAll(filepath.Dir(v.path), 0o755); err != nil {
		return err
	}
	return v.doInHalf(ctx, &v.write, sqlite.Write, "&_journal_mode=WAL&_txlock=immediate", lay, fn)
}

// doInHalf runs fn in a transaction of the half of the pool, which it opens with more
// and readies at first use.
func (v *DB) doInHalf(ctx context.Context, half **sql.DB, begin, more string, ready func(*sqlite.Tx) error, fn func(*sqlite.Tx) error) error {
	db, err := v.open(ctx, half, begin, more, ready)
	if err == nil {
		err = sqlite.Do(ctx, db, begin, fn)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	switch sqlite.Judge(err) {
	case sqlite.Damaged:
		return v.spoilt(err)
	case sqlite.Blocked:
		return vault.Errorf(vault.CodeIO, "check the file's permissions and the space on the disk", "the vectors in %s cannot be used: %w", v.path, err)
	}
	return err
}

func (v *DB) open(ctx context.Context, half **sql.DB, begin, more string, ready func(*sqlite.Tx) error) (*sql.DB, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if *half != nil {
		return *half, nil
	}
	v.file, _ = os.Lstat(v.path)
	db, err := sqlite.Open(v.path, wait, more)
	if err != nil {
		return nil, err
	}
	err = v.checkPages(ctx, db)
	if err == nil {
		err = sqlite.Do(ctx, db, begin, ready)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	*half = db
	return db, nil
}

// checkPages fails where the file ends in the middle of a page, which SQLite would
// fill up with zeros.
func (v *DB) checkPages(ctx context.Context, db *sql.DB) error {
	var page int64
	if err := db.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&page); err != nil {
		return err
	}
	if v.file != nil && v.file.Size()%page != 0 {
		return sqlite.ErrDamaged
	}
	return nil
}

// errUnlaid is the error of a file that has no tables yet: another process is about to make
// them, or ended before it had.
var errUnlaid = errors.New("the vectors have no tables yet")

// checkVersion fails where the file is of no version that is known.
func checkVersion(t *sqlite.Tx) error {
	var tables int
	is, err := versionOf(t)
	if err == nil && is == 0 {
		err = t.One(`SELECT count(*) FROM sqlite_schema`, nil, &tables)
	}
	switch {
	case err != nil:
		return err
	case is == 0 && tables == 0:
		return errUnlaid
	case is < old, is > version:
		return sqlite.ErrVersion
	}
	return nil
}

func versionOf(t *sqlite.Tx) (is int, err error) {
	err = t.One(`SELECT user_version FROM pragma_user_version`, nil, &is)
	return is, err
}

// lay makes the tables of a file that is new, and brings an earlier one to this version.
func lay(t *sqlite.Tx) error {
	err := checkVersion(t)
	if err != nil && !errors.Is(err, errUnlaid) {
		return err
	}
	is, verr := versionOf(t)
	switch {
	case verr != nil || is == version:
		return verr
	case err == nil:
		err = renewTables(t, is)
	default:
		err = nil
		t.Exec(schema + texts + pages)
	}
	t.Exec(`PRAGMA user_version = ` + strconv.Itoa(version))
	return t.Fail(err)
}

// spoilt sets the damaged file aside and says so.
func (v *DB) spoilt(why error) error {
	_, was := v.Close(), v.file
	const hint = "cp admin embed-backfill makes them again"
	if was != nil {
		if err := (sqlite.File{Path: v.path, Wait: wait}).SetAside(was, false); err != nil {
			return vault.Errorf(vault.CodeDamaged, "move "+v.path+" away; "+hint, "the vectors are damaged: %w", why)
		}
	}
	if errors.Is(why, sqlite.ErrVersion) {
		return vault.Errorf(vault.CodeDamaged, hint, "the vectors were made by another version of cp and are set aside as %s.bad", v.path)
	}
	return vault.Errorf(vault.CodeDamaged, hint, "the vectors were damaged and are set aside as %s.bad", v.path)
}
