package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-sqlite3"
)

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := Open(filepath.Join(t.TempDir(), "x.db"), time.Second, "&_journal_mode=WAL")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	err = Do(context.Background(), db, Write, func(x *Tx) error {
		x.Exec(`CREATE TABLE a (n INTEGER PRIMARY KEY, word TEXT, hash BLOB, at INTEGER, part REAL) STRICT`)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// What was bound comes back as it was.
func TestRow(t *testing.T) {
	now := time.UnixMicro(1_700_000_000_000_001).UTC()
	err := Do(context.Background(), open(t), Write, func(x *Tx) error {
		x.Exec(`INSERT INTO a VALUES (?, ?, ?, ?, ?)`, 7, "seven", Hash("00ff"), Micros(now), 0.5)
		x.Exec(`INSERT INTO a VALUES (?, ?, ?, ?, ?)`, 8, "", Hash(""), Micros(time.Time{}), 1.0)
		got, err := All(x, `SELECT n, word, hash, at, part FROM a ORDER BY n`, nil, func(r *Row) string {
			return fmt.Sprint(r.Int(), " ", r.Text(), " ", r.Hash(), " ", r.Time().Equal(now), " ", r.Float())
		})
		if diff := cmp.Diff([]string{"7 seven 00ff true 0.5", "8   false 1"}, got); diff != "" {
			t.Error(diff)
		}
		found, missing := x.Maybe(`SELECT 1 FROM a WHERE n = 9`, nil, new(int))
		if found || missing != nil || !errors.Is(x.One(`SELECT 1 FROM a WHERE n = 9`, nil, new(int)), sql.ErrNoRows) {
			t.Error("a row that is not there:", found, missing)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The first error ends a transaction: what comes after it does nothing, and nothing
// is committed. So does an error or a panic of the function.
func TestTheFirstErrorCounts(t *testing.T) {
	boom := errors.New("boom")
	for _, row := range []struct {
		name string
		fn   func(*Tx) error
		want error
	}{
		{"a statement", func(x *Tx) error { x.Exec(`INSERT INTO a (n) VALUES (1)`); return nil }, sqlite3.ErrConstraintPrimaryKey},
		{"a column of another kind", func(x *Tx) error { _, _ = All(x, `SELECT word FROM a`, nil, (*Row).Int); return nil }, ErrDamaged},
		{"what is told", func(x *Tx) error { _, _ = x.Fail(boom), x.Fail(ErrVersion); return nil }, boom},
		{"the function", func(*Tx) error { return boom }, boom},
	} {
		t.Run(row.name, func(t *testing.T) {
			db := open(t)
			err := Do(context.Background(), db, Write, func(x *Tx) error {
				x.Exec(`INSERT INTO a (n, word) VALUES (1, 'one')`)
				err := row.fn(x)
				x.Exec(`INSERT INTO a (n) VALUES (2)`)
				return err
			})
			var e sqlite3.Error
			if !errors.Is(err, row.want) && !(errors.As(err, &e) && e.ExtendedCode == row.want) {
				t.Errorf("got %v, want %v", err, row.want)
			}
			rows := -1
			if err := Do(context.Background(), db, Read, func(x *Tx) error { return x.One(`SELECT count(*) FROM a`, nil, &rows) }); err != nil || rows != 0 {
				t.Errorf("%d rows were committed, %v", rows, err)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	for err, want := range map[error]Verdict{
		nil:                                      Fine,
		errors.New("other"):                      Fine,
		ErrVersion:                               Damaged,
		fmt.Errorf("%w: more", ErrDamaged):       Damaged,
		sqlite3.Error{Code: sqlite3.ErrCorrupt}:  Damaged,
		sqlite3.Error{Code: sqlite3.ErrBusy}:     Blocked,
		sqlite3.Error{Code: sqlite3.ErrReadonly}: Blocked,
		ErrSwapped:                               Blocked,
		&os.PathError{Op: "open", Err: os.ErrPermission}: Blocked,
	} {
		if got := Judge(err); got != want {
			t.Errorf("%v: got %d, want %d", err, got, want)
		}
	}
}
