package sqlite

import (
	"database/sql"
	"encoding/binary"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/mattn/go-sqlite3"
)

// Readers bounds the connections of one process that read a file at once.
const Readers = 4

// Cache is how much of a file a connection keeps in memory, as PRAGMA cache_size takes it: KiB,
// below zero.
const Cache = "-65536"

// DSN returns the data source name of a file. wait is how long a statement waits for
// another process. All settings are in the name, since a PRAGMA would reach only one
// connection of the pool.
func DSN(path string, wait time.Duration, more string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", Path: abs}
	return u.String() + "?_busy_timeout=" + strconv.FormatInt(wait.Milliseconds(), 10) +
		"&_foreign_keys=on&_synchronous=NORMAL&_stmt_cache_size=96&_cache_size=" + Cache + more, nil
}

// Open opens a file. Nothing is read or created before the first transaction.
func Open(path string, wait time.Duration, more string) (*sql.DB, error) {
	name, err := DSN(path, wait, more)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", name)
	if err == nil {
		db.SetMaxOpenConns(Readers)
	}
	return db, err
}

// Library returns the version of the SQLite library that is built in, as in "3.53.4".
func Library() string {
	v, _, _ := sqlite3.Version()
	return v
}

// VersionOf returns the PRAGMA user_version of a file without opening the database. It
// returns 0 if there is none, or if it is still in the log beside the file. The version is
// in the 60th byte (https://www.sqlite.org/fileformat.html, 1.3.17).
func VersionOf(path string) int {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return 0 // to open a pipe would wait for its writer
	}
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	var b [4]byte
	if _, err := f.ReadAt(b[:], 60); err != nil {
		return 0
	}
	return int(binary.BigEndian.Uint32(b[:]))
}
