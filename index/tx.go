package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// tx is one transaction. Statements are cached by the connection
// (_stmt_cache_size), so each is prepared once however often it runs.
type tx struct {
	ctx context.Context
	sql *sql.Conn
}

// run returns the context of one statement: whether anybody still waits is asked
// before it, and not by a goroutine beside it.
func (t *tx) run() (context.Context, error) {
	return context.WithoutCancel(t.ctx), t.ctx.Err()
}

// scanner reads the present row into dest.
type scanner func(dest ...any) error

// exec runs a statement.
func (t *tx) exec(query string, args ...any) error {
	ctx, err := t.run()
	if err == nil {
		_, err = t.sql.ExecContext(ctx, query, args...)
	}
	return err
}

// each calls fn for every row. The connection is busy meanwhile: in a private
// mirror, which has one, fn must not ask anything itself.
func (t *tx) each(query string, args []any, fn func(scanner) error) error {
	ctx, err := t.run()
	if err != nil {
		return err
	}
	rows, err := t.sql.QueryContext(ctx, query, args...)
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

// scanRow wraps Scan: in a STRICT schema a value that does not fit its Go type
// was not written by us.
func scanRow(rows *sql.Rows) scanner {
	return func(dest ...any) error {
		if err := rows.Scan(dest...); err != nil {
			return fmt.Errorf("%w: %w", errDamaged, err)
		}
		return nil
	}
}

// one reads a single row into dest; the error is sql.ErrNoRows where there is none.
func (t *tx) one(query string, args []any, dest ...any) error {
	found := false
	err := t.each(query, args, func(scan scanner) error {
		found = true
		return scan(dest...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// maybe is one for a row that may be missing; it reports whether it was there.
func (t *tx) maybe(query string, args []any, dest ...any) (bool, error) {
	err := t.one(query, args, dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
