//go:build !sqlite_fts5 && !fts5

package sqlite

import "github.com/cp-memory/cp/vault"

// CheckBuild reports whether the binary can index at all: SQLite's full-text search
// is compiled in by a build tag only.
func CheckBuild() error {
	return vault.Errorf(vault.CodeIndex, "go build -tags sqlite_fts5 ./cmd/cp",
		"full-text extension not available: this binary was built without the tag sqlite_fts5")
}
