package index

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// superseded selects what was superseded and by what. There are few of them, and
// they have an index of their own, which only these words make SQLite use.
const superseded = `SELECT iif(l.kind = 'supersedes', l.target, m.id) AS old, iif(l.kind = 'supersedes', m.id, l.target) AS new
	FROM links l JOIN memories m ON m.n = l.n WHERE l.kind IN ('supersedes', 'superseded_by') AND m.id IS NOT NULL`

// succeed fills in what has taken the place of the rows' memories. Whether the
// old one says so in its file or the new one in its own makes no difference.
func (t *tx) succeed(rows []row) error {
	var successor map[vault.ID]vault.ID
	err := t.Each(superseded+` ORDER BY 1, 2 DESC`, nil, func(r *sqlite.Row) error {
		if successor == nil {
			successor = make(map[vault.ID]vault.ID)
		}
		successor[vault.ID(r.Text())] = vault.ID(r.Text())
		return nil
	})
	for i := range rows {
		rows[i].Superseded = successor[rows[i].ID]
	}
	return err
}
