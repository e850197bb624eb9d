package query

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// WorkEntries returns the entries of a piece of work without their texts, in no order. Denied ones are
// left out.
func WorkEntries(t *sqlite.Tx, spec string) ([]journal.Entry, error) {
	return sqlite.All(t, `SELECT coalesce(m.id, ''), f.path, m.type, m.title, m.status, m.anchor, m.created, m.tokens
		FROM memories m JOIN files f ON f.n = m.n WHERE m.spec <> '' AND m.spec = ? AND m.held > 0 AND NOT `+IsDenied, []any{spec}, func(r *sqlite.Row) (e journal.Entry) {
		e.ID, e.Path, e.Kind, e.Title, e.Status = vault.ID(r.Text()), vault.Path(r.Text()), header.Kind(r.Text()), r.Text(), r.Text()
		e.Commit, e.Created, e.Tokens = r.Text(), r.Time(), r.Int()
		return e
	})
}

// CoreMemories returns the memories that are decided to be in agents' files.
func CoreMemories(t *sqlite.Tx) ([]vault.ID, error) {
	return sqlite.All(t, `SELECT m.id FROM memories m INDEXED BY memories_core WHERE m.core_at IS NOT NULL AND m.held > 0 AND m.id IS NOT NULL AND m.status <> 'closed' AND NOT `+IsDenied+` ORDER BY m.id`, nil, func(r *sqlite.Row) vault.ID {
		return vault.ID(r.Text())
	})
}
