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
	return d.nodes(ctx, `JOIN reads r ON r.id = m.id LEFT JOIN reads pr ON pr.id = p.id
		WHERE m.type = 'memory' AND m.status <> 'closed' AND m.parent IS NOT NULL AND m.depth BETWEEN ? AND ?
		AND r.count > coalesce(pr.count, 0) ORDER BY r.count DESC, m.path LIMIT ?`, max(minDepth, 1), vault.TreeCap, limit)
}
