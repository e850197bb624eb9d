package code

import (
	"strings"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// stampOf returns the stamp of a row; empty without one.
func stampOf(r about.Row) string {
	if r.Stamp == nil {
		return ""
	}
	return r.Stamp.String()
}

// Parts returns what the rows are made of.
func Parts(m *vault.Memory) (all []string) {
	for _, r := range about.RowsOf(m) {
		all = append(all, r.Text, stampOf(r), strings.Join(r.Words, " "))
	}
	return all
}

// Store writes what a memory is bound to. The rows that it had are gone.
func Store(t *sqlite.Tx, n int64, m *vault.Memory) {
	for i, r := range about.RowsOf(m) {
		path, dir := "", any(nil)
		b, err := about.Parse(r.Text)
		switch {
		case err != nil: // it is kept for who asks what cannot be read
		case b.Glob || b.IsFolder():
			dir = b.Literal()
		default:
			path = b.Path
		}
		t.Exec(`INSERT INTO about_bindings (n, position, binding, stamp, words, path, dir, finding) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, n, i, r.Text, stampOf(r), strings.Join(r.Words, " "), path, dir, r.Finding)
	}
}

// DropBindings removes the rows of a memory.
func DropBindings(t *sqlite.Tx, n int64) { t.Exec(`DELETE FROM about_bindings WHERE n = ?`, n) }
