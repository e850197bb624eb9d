package waiting

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/kind"
	"github.com/cp-memory/cp/vault/review"
)

// phraseless selects the memories of the tree that say nothing of when one needs them. It
// has an index of its own, which only these words make SQLite use.
const phraseless = `held = 2 AND parent IS NOT NULL AND summary = ''`

// candidates selects them. Each line of the union has an index of its own.
const candidates = `SELECT coalesce(m.id, ''), f.path, m.title, m.type, m.status, m.seen,
	m.created, m.deferred, m.approved_at, m.denied_at, m.long_term_at, m.core_at, m.wants_place,
	EXISTS (SELECT 1 FROM links l WHERE l.n = m.n AND l.kind = 'relates_to'),
	m.held = 2 AND m.summary = '' AND coalesce((SELECT p.keeps <> 'none' FROM memories p WHERE p.n = m.parent), FALSE)
		AND NOT EXISTS (SELECT 1 FROM pointers q WHERE q.parent = m.parent AND q.id = m.id AND q.summary NOT IN ('', ?))
FROM memories m CROSS JOIN files f ON f.n = m.n
WHERE m.n IN (
	SELECT n FROM memories WHERE (type = 'observation' OR wants_place = 'true') AND long_term_at IS NULL
	UNION SELECT n FROM memories WHERE held = 1 AND type IN (SELECT value FROM json_each(?))
	UNION SELECT n FROM memories WHERE seen > 0 AND seen >= ?
	UNION SELECT n FROM memories WHERE (held <> 2 OR status IN ('closed', 'deferred') OR deferred IS NOT NULL) AND deferred IS NOT NULL
	UNION SELECT n FROM memories WHERE denied_at IS NOT NULL
	UNION SELECT n FROM links WHERE kind = 'relates_to'
	UNION SELECT n FROM memories WHERE ` + phraseless + `)
AND m.held > 0 AND m.status <> 'closed'
AND NOT EXISTS (SELECT 1 FROM links s WHERE s.n = m.n AND s.kind = 'superseded_by')`

// Candidates returns what may wait under the rules, see [review.Mirror].
func Candidates(t *sqlite.Tx, r review.Rules) ([]review.Candidate, error) {
	return sqlite.All(t, candidates, []any{vault.Placeholder, sqlite.List(kinds(r.Kinds)), r.ToCore.MinCount}, candidate)
}

// kinds returns the kinds that words name, as the column type has them.
func kinds(words []string) (all []string) {
	for _, word := range words {
		if k, ok := kind.Of(word); ok {
			all = append(all, string(k))
		}
	}
	return all
}

func candidate(r *sqlite.Row) (c review.Candidate) {
	h := &c.Header
	c.ID, c.Path, h.Title, h.Type, h.Status, c.Seen = vault.ID(r.Text()), vault.Path(r.Text()), r.Text(), r.Text(), r.Text(), r.Int()
	h.Created, h.Deferred, h.Approved, h.Denied, h.LongTerm, h.Core = r.Time(), r.Time(), r.Time(), r.Time(), r.Time(), r.Time()
	h.WantsPlace, c.Relates, c.Phraseless = r.Text(), r.Bool(), r.Bool()
	return c
}
