package code

import (
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/header"
)

// row is a binding that a memory has.
type row struct {
	binding, stamp, words string
	finding               bool
}

// rowsOf returns what a memory is bound to. A finding is bound to its place.
func rowsOf(m *vault.Memory) (all []row) {
	stamps := about.StampsFor(m.AboutAt)
	for _, text := range m.About {
		r := row{binding: text}
		if s := stamps[text]; len(s) > 0 {
			r.stamp = s[len(s)-1].String()
		}
		if b, err := about.Parse(text); err == nil && b.IsWhole() {
			r.words = strings.Join(about.Words(m.Prose), " ")
		}
		all = append(all, r)
	}
	if m.Type == string(header.Finding) && m.File != "" {
		b := about.Binding{Path: m.File}
		if n, err := strconv.Atoi(m.Line); err == nil && n > 0 {
			b.From, b.To = n, n
		}
		if _, err := about.Parse(b.String()); err == nil {
			all = append(all, row{binding: b.String(), stamp: about.Stamp{Binding: b.String(), Commit: m.Commit}.String(), finding: true})
		}
	}
	return all
}

// Parts returns what the rows are made of.
func Parts(m *vault.Memory) (all []string) {
	for _, r := range rowsOf(m) {
		all = append(all, r.binding, r.stamp, r.words)
	}
	return all
}

// Store writes what a memory is bound to. The rows that it had are gone.
func Store(t *sqlite.Tx, n int64, m *vault.Memory) {
	for i, r := range rowsOf(m) {
		path, dir := "", any(nil)
		b, err := about.Parse(r.binding)
		switch {
		case err != nil: // it is kept for who asks what cannot be read
		case b.Glob || b.IsFolder():
			dir = b.Literal()
		default:
			path = b.Path
		}
		t.Exec(`INSERT INTO about_bindings (n, position, binding, stamp, words, path, dir, finding) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, n, i, r.binding, r.stamp, r.words, path, dir, r.finding)
	}
}

// DropBindings removes the rows of a memory.
func DropBindings(t *sqlite.Tx, n int64) { t.Exec(`DELETE FROM about_bindings WHERE n = ?`, n) }
