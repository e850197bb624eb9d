package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// Memory opens an empty database in memory. It has one connection: each further one would
// be another, empty memory.
func Memory() (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file::memory:?_foreign_keys=on&_txlock=immediate&_stmt_cache_size=96")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// Copy returns a copy of a database in memory.
func Copy(ctx context.Context, from *sql.DB) (*sql.DB, error) {
	to, err := Memory()
	if err != nil {
		return nil, err
	}
	err = raw(ctx, to, func(dst *sqlite3.SQLiteConn) error {
		return raw(ctx, from, func(src *sqlite3.SQLiteConn) error { return backUp(dst, src) })
	})
	if err != nil {
		return nil, errors.Join(err, to.Close())
	}
	return to, nil
}

// raw lends fn a connection.
func raw(ctx context.Context, db *sql.DB, fn func(*sqlite3.SQLiteConn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	err = conn.Raw(func(c any) error { return fn(c.(*sqlite3.SQLiteConn)) })
	return errors.Join(err, conn.Close())
}

// backUp copies all pages in one step.
func backUp(dst, src *sqlite3.SQLiteConn) error {
	b, err := dst.Backup("main", src, "main")
	if err != nil {
		return err
	}
	_, err = b.Step(-1)
	return errors.Join(err, b.Finish())
}
