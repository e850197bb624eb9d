package query

import (
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// phraseless selects the memories of the tree that say nothing of when one needs them. It
// has an index of its own, which only these words make SQLite use.
const phraseless = `held = 2 AND parent IS NOT NULL AND summary = ''`

// pending is the condition of the index memories_pending. An entry of the journal that has an
// id is plain: its index alone tells all that decides, so that thousands of observations cost
// no look at their rows.
const (
	pending      = `(type = 'observation' OR wants_place = 'true') AND long_term_at IS NULL`
	plainWaiting = `m.held = 1 AND m.id IS NOT NULL`
)

// related and superseded are asked of each row.
const (
	related    = `EXISTS (SELECT 1 FROM links l WHERE l.n = m.n AND l.kind = 'relates_to')`
	superseded = `EXISTS (SELECT 1 FROM links s WHERE s.n = m.n AND s.kind = 'superseded_by')`
)

// waitingEntries are those that are plain. below are those of them that too few sessions made and
// about which nobody has decided, see [journal.IsBelow].
const (
	waitingEntries = `FROM memories m INDEXED BY memories_pending
WHERE (m.type = 'observation' OR m.wants_place = 'true') AND m.long_term_at IS NULL AND ` + plainWaiting + ` AND m.status <> 'closed' AND NOT ` + superseded
	belowPlace = `m.type = 'observation' AND m.seen < ? AND m.denied_at IS NULL AND m.deferred IS NULL AND m.status <> 'deferred'`
)

// columns are what decides about an entry, without its path and title, and columnsOf reads
// them of the rows of a statement, so that links are looked for in those alone.
const (
	columns   = `m.id, m.type, m.status, m.seen, m.created, m.deferred, m.approved_at, m.denied_at, m.wants_place, `
	columnsOf = `SELECT ` + columns + related + ` FROM memories m WHERE m.n IN `
)

// others selects the rest. Each line of the union has an index of its own, which is named: to
// merge the lines in the order of n, SQLite would go through the table.
const others = `SELECT coalesce(m.id, ''), f.path, m.title, m.type, m.status, m.seen,
	m.created, m.deferred, m.approved_at, m.denied_at, m.long_term_at, m.core_at, m.wants_place, ` + related + `,
	m.held = 2 AND m.summary = '' AND coalesce((SELECT p.keeps <> 'none' FROM memories p WHERE p.n = m.parent), FALSE)
		AND NOT EXISTS (SELECT 1 FROM pointers q WHERE q.parent = m.parent AND q.id = m.id AND q.summary NOT IN ('', ?))
FROM memories m CROSS JOIN files f ON f.n = m.n
WHERE m.n IN (
	SELECT n FROM memories m INDEXED BY memories_pending WHERE ` + pending + ` AND NOT (` + plainWaiting + `)
	UNION SELECT n FROM memories INDEXED BY memories_kind WHERE held = 1 AND type IN (SELECT value FROM json_each(?))
	UNION SELECT n FROM memories INDEXED BY memories_seen WHERE seen > 0 AND seen >= ? AND held <> 1
	UNION SELECT n FROM memories INDEXED BY memories_deferred WHERE deferred IS NOT NULL
	UNION SELECT n FROM memories INDEXED BY memories_denied WHERE denied_at IS NOT NULL
	UNION SELECT n FROM links WHERE kind = 'relates_to'
	UNION SELECT n FROM memories INDEXED BY memories_phraseless WHERE ` + phraseless + `)
AND m.held > 0 AND m.status <> 'closed' AND NOT ((m.type = 'observation' OR m.wants_place = 'true') AND m.long_term_at IS NULL AND ` + plainWaiting + `)
AND NOT ` + superseded

// ReviewCandidates returns what may wait under the rules, see [journal.QueueMirror].
func ReviewCandidates(t *sqlite.Tx, r journal.QueueRules, least int) (out journal.Candidates, err error) {
	few := r.ToLongTerm.MinCount
	out.All, err = sqlite.All(t, `SELECT `+columns+related+` `+waitingEntries+` AND NOT (`+belowPlace+`)`, []any{few}, readCandidate)
	if err != nil {
		return out, err
	}
	first, err := sqlite.All(t, columnsOf+`(SELECT m.n `+waitingEntries+` AND `+belowPlace+` ORDER BY m.seen DESC, m.created, m.id LIMIT ?)`, []any{few, most(least)}, readCandidate)
	if err != nil {
		return out, err
	}
	if least > 0 && len(first) == least {
		if err := t.One(`SELECT count(*) `+waitingEntries+` AND `+belowPlace, []any{few}, &out.Below); err != nil {
			return out, err
		}
		out.Below -= len(first)
	}
	more, err := sqlite.All(t, others, []any{vault.Placeholder, sqlite.List(kinds(r.Kinds)), r.ToCore.MinCount}, candidate)
	out.All = slices.Concat(out.All, first, more)
	return out, err
}

// most is a limit as SQLite has it, which takes a negative one for none.
func most(rows int) int {
	if rows <= 0 {
		return -1
	}
	return rows
}

// kinds returns the kinds that words name, as the column type has them.
func kinds(words []string) (all []string) {
	for _, word := range words {
		if k, ok := header.ParseKind(word); ok {
			all = append(all, string(k))
		}
	}
	return all
}

func candidate(r *sqlite.Row) (c journal.Candidate) {
	c.ID, c.Path, c.Title, c.Type, c.Status, c.Seen = vault.ID(r.Text()), vault.Path(r.Text()), r.Text(), r.Text(), r.Text(), r.Int()
	c.Created, c.Deferred, c.Approved, c.DeniedAt, c.LongTerm, c.Core = r.Time(), r.Time(), r.Time(), r.Time(), r.Time(), r.Time()
	c.WantsPlace, c.Relates, c.Phraseless = r.Text(), r.Bool(), r.Bool()
	return c
}

// readCandidate reads a plain one. It has no place in the tree, so that nothing points to it.
func readCandidate(r *sqlite.Row) (c journal.Candidate) {
	c.ID, c.Type, c.Status, c.Seen = vault.ID(r.Text()), r.Text(), r.Text(), r.Int()
	c.Created, c.Deferred, c.Approved, c.DeniedAt, c.WantsPlace, c.Relates = r.Time(), r.Time(), r.Time(), r.Time(), r.Text(), r.Bool()
	return c
}
