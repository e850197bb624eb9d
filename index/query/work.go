package query

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// WorkEntries returns the entries of a piece of work, or that tell of some commits, or both, without
// their texts, in no order. Denied ones are left out.
func WorkEntries(t *sqlite.Tx, o vault.ListOptions) ([]journal.Entry, error) {
	f := Filter{Terms: []string{` AND m.held > 0 AND NOT ` + IsDenied}}
	f.addWork(o)
	return sqlite.All(t, `SELECT coalesce(m.id, ''), f.path, m.type, m.title, m.status, m.anchor, m.created, m.tokens
		FROM memories m JOIN files f ON f.n = m.n `+f.Where(), f.Args, func(r *sqlite.Row) (e journal.Entry) {
		e.ID, e.Path, e.Kind, e.Title, e.Status = vault.ID(r.Text()), vault.Path(r.Text()), header.Kind(r.Text()), r.Text(), r.Text()
		e.Commit, e.Created, e.Tokens = r.Text(), r.Time(), r.Int()
		return e
	})
}

// AnchoredCommits returns the commits that entries tell of, each once, with a key if one of them has it.
func AnchoredCommits(t *sqlite.Tx) ([]header.Anchor, error) {
	return sqlite.All(t, `SELECT m.anchor, max(m.anchor_key) FROM memories m INDEXED BY memories_anchor WHERE m.anchor <> '' GROUP BY m.anchor`, nil, func(r *sqlite.Row) header.Anchor {
		return header.Anchor{Commit: r.Text(), CommitKey: r.Text()}
	})
}

// CoreMemories returns the memories that are decided to be in agents' files.
func CoreMemories(t *sqlite.Tx) ([]vault.ID, error) {
	return sqlite.All(t, `SELECT m.id FROM memories m INDEXED BY memories_core WHERE m.core_at IS NOT NULL AND m.held > 0 AND m.id IS NOT NULL AND m.status <> 'closed' AND NOT `+IsDenied+` ORDER BY m.id`, nil, func(r *sqlite.Row) vault.ID {
		return vault.ID(r.Text())
	})
}
