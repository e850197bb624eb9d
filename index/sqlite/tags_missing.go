//go:build !sqlite_fts5 && !fts5

package sqlite

import "github.com/cp-memory/cp/vault"

// Built reports whether the binary can index at all: SQLite's full-text search
// is compiled in by a build tag only.
func Built() error {
	return vault.Errorf(vault.CodeInternal, "go build -tags sqlite_fts5 ./cmd/cp",
		"this binary was built without full-text search (the build tag sqlite_fts5)")
}
