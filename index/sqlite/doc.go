// Package sqlite holds what the rooms of the index share of SQLite: it opens a file, runs
// a transaction, judges a file by an error, and sets a damaged file aside. It knows no
// table.
//
// Its promise: a transaction is committed whole or not at all, a value that does
// not fit the Go type asked for is reported as damage ([ErrDamaged]), and a sound
// file is never taken for a damaged one ([Judge]).
//
// The way in is [DSN], database/sql's Open, and [Do]:
//
//	name, err := sqlite.DSN(path, 10*time.Second, "&_journal_mode=WAL")
//	db, err := sql.Open("sqlite3", name)
//	err = sqlite.Do(ctx, db, sqlite.Read, func(t *sqlite.Tx) error {
//		titles, err := sqlite.All(t, `SELECT title FROM memories`, nil, (*sqlite.Row).Text)
//		…
//	})
package sqlite
