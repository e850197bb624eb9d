package index

import sqlite3 "github.com/mattn/go-sqlite3"

// SQLite returns the version of the SQLite library that is built in, as in "3.53.4".
func SQLite() string {
	v, _, _ := sqlite3.Version()
	return v
}
