//go:build sqlite_fts5 || fts5

package sqlite

// Built reports whether the binary can index at all: SQLite's full-text search
// is compiled in by a build tag only.
func Built() error { return nil }
