//go:build sqlite_fts5 || fts5

package sqlite

// CheckBuild reports whether the binary can index at all: SQLite's full-text search
// is compiled in by a build tag only.
func CheckBuild() error { return nil }
