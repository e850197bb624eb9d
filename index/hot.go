package index

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Hot returns promotion candidates, the most read first: open memories at least
// minDepth (1 or more) levels down that are read more often than their parents.
func (d *DB) Hot(ctx context.Context, minDepth, limit int) ([]vault.Node, error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	if err := d.refreshReads(ctx); err != nil {
		return nil, err
	}
	// Few are read: CROSS JOIN keeps SQLite from starting with all memories.
	return d.nodes(ctx, `WHERE m.n IN (SELECT h.n FROM reads r CROSS JOIN memories h ON h.id = r.id JOIN files hf ON hf.n = h.n LEFT JOIN memories hp ON hp.n = h.parent LEFT JOIN reads pr ON pr.id = hp.id
		WHERE h.type = 'memory' AND h.status <> 'closed' AND h.parent IS NOT NULL AND h.depth BETWEEN ? AND ?
		AND r.count > coalesce(pr.count, 0) ORDER BY r.count DESC, hf.path LIMIT ?)
		ORDER BY (SELECT count FROM reads WHERE reads.id = m.id) DESC, f.path`, max(minDepth, 1), vault.TreeCap, limit)
}
