package index

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Overview returns the open roots that matter most, how many there are, and the
// memories that are read most.
func (d *DB) Overview(ctx context.Context, roots, hottest int) (vault.Overview, error) {
	if err := d.refreshReads(ctx); err != nil {
		return vault.Overview{}, err
	}
	var o vault.Overview
	var top, hot []row
	err := d.view(ctx, func(t *tx) error {
		// Each count is answered by an index alone, and CROSS JOIN keeps what was read first.
		err := t.One(`SELECT count(*) FROM memories WHERE type = 'memory' AND status NOT IN ('closed', 'deferred')`, nil, &o.Memories)
		if err == nil {
			err = t.One(`SELECT count(*) FROM memories WHERE parent IS NULL AND type = 'memory' AND status NOT IN ('closed', 'deferred')`, nil, &o.RootCount)
		}
		if err != nil {
			return err
		}
		if top, err = t.chosen(`SELECT m.n FROM memories m JOIN files f ON f.n = m.n LEFT JOIN reads r ON r.id = m.id
			WHERE m.parent IS NULL AND m.type = 'memory' AND m.status NOT IN ('closed', 'deferred')
			ORDER BY m.has_block DESC, m.summary <> '' DESC, coalesce(r.count, 0) DESC, f.path LIMIT ?`, roots); err != nil {
			return err
		}
		hot, err = t.chosen(`SELECT m.n FROM reads r CROSS JOIN memories m ON m.id = r.id JOIN files f ON f.n = m.n
			WHERE m.type = 'memory' AND m.status NOT IN ('closed', 'deferred') AND r.count > 1
			ORDER BY r.count DESC, f.path LIMIT ?`, hottest)
		return err
	})
	if err != nil {
		return o, err
	}
	o.Roots, o.Hottest = d.counted(ctx, top), d.counted(ctx, hot)
	return o, nil
}

// Roots returns the open memories without a parent, in display order.
func (d *DB) Roots(ctx context.Context) ([]vault.Node, error) {
	return d.nodes(ctx, `WHERE m.parent IS NULL AND m.type = 'memory' AND m.status <> 'closed'`+displayOrder)
}
