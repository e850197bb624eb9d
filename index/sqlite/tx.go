package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/mattn/go-sqlite3"
)

// How transactions begin.
const (
	Read  = `BEGIN`
	Write = `BEGIN IMMEDIATE` // with the write lock: one that read first could fail with SQLITE_BUSY at once, whatever the timeout
)

// Tx is one transaction. It goes past database/sql, which looks at each value
// once more: that is half of what a small row costs. Nor is it an sql.Tx, for
// which database/sql and the driver start a goroutine for every statement.
// Statements are cached by the connection, so each is prepared once however
// often it runs.
//
// The first error ends it: what comes after does nothing and returns that error,
// and nothing is committed. So a writer of many rows need not ask after each.
type Tx struct {
	Context context.Context
	conn    *sqlite3.SQLiteConn
	args    []driver.NamedValue
	err     error
}

// Do runs fn in a transaction on one connection, which begins with begin. An
// error of fn undoes it.
func Do(ctx context.Context, db *sql.DB, begin string, fn func(*Tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return On(ctx, conn, begin, fn)
}

// On is Do on a connection.
func On(ctx context.Context, conn *sql.Conn, begin string, fn func(*Tx) error) error {
	return conn.Raw(func(c any) error {
		t := &Tx{Context: ctx, conn: c.(*sqlite3.SQLiteConn)}
		return t.do(begin, fn)
	})
}

func (t *Tx) do(begin string, fn func(*Tx) error) error {
	if _, err := t.conn.ExecContext(t.Context, begin, nil); err != nil {
		return err
	}
	open := true
	defer func() {
		if open { // an error, or a panic on its way up
			_, _ = t.conn.Exec(`ROLLBACK`, nil)
		}
	}()
	if err := fn(t); err != nil {
		return err
	}
	t.Exec(`COMMIT`)
	open = t.err != nil
	return t.err
}

// Fail ends the transaction with an error, unless that is nil or there was one before. It
// returns the error that counts.
func (t *Tx) Fail(err error) error {
	if t.err == nil {
		t.err = err
	}
	return t.err
}

// bind returns args as the driver takes them, valid until the next call. Whether
// anybody still waits is asked here, before a statement, and not by a goroutine
// beside it.
func (t *Tx) bind(args []any) ([]driver.NamedValue, error) {
	if err := t.Fail(t.Context.Err()); err != nil {
		return nil, err
	}
	t.args = t.args[:0]
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return nil, err
		}
		t.args = append(t.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return t.args, nil
}

// Err returns what has ended the transaction, if anything has.
func (t *Tx) Err() error { return t.err }

// Exec runs a statement.
func (t *Tx) Exec(query string, args ...any) { _, _ = t.Change(query, args...) }

// Change runs a statement and returns how many rows it has changed.
func (t *Tx) Change(query string, args ...any) (rows int64, err error) {
	bound, err := t.bind(args)
	if err != nil {
		return 0, t.Fail(err)
	}
	done, err := t.conn.ExecContext(context.Background(), query, bound)
	if err != nil {
		return 0, t.Fail(err)
	}
	return done.RowsAffected()
}

// Each calls fn for every row.
func (t *Tx) Each(query string, args []any, fn func(*Row) error) error {
	return t.Fail(t.each(query, args, fn))
}

func (t *Tx) each(query string, args []any, fn func(*Row) error) error {
	bound, err := t.bind(args)
	if err != nil {
		return err
	}
	rows, err := t.conn.QueryContext(context.Background(), query, bound)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := &Row{Columns: make([]driver.Value, len(rows.Columns()))}
	for {
		switch err := rows.Next(r.Columns); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		r.at = 0
		if err := fn(r); err != nil {
			return err
		}
		if r.wrong {
			return fmt.Errorf("%w: a column of another kind", ErrDamaged)
		}
	}
}

// All returns what read makes of every row.
func All[T any](t *Tx, query string, args []any, read func(*Row) T) ([]T, error) {
	var all []T
	err := t.Each(query, args, func(r *Row) error {
		all = append(all, read(r))
		return nil
	})
	return all, err
}

// One reads a single row into dest. The error is sql.ErrNoRows if there is none.
func (t *Tx) One(query string, args []any, dest ...any) error {
	found, err := t.Maybe(query, args, dest...)
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	return err
}

// Maybe reads a row that may be missing, as One does. It reports whether there was one.
func (t *Tx) Maybe(query string, args []any, dest ...any) (found bool, err error) {
	err = t.Each(query, args, func(r *Row) error {
		found = true
		r.Scan(dest...)
		return nil
	})
	return found && err == nil, err
}
