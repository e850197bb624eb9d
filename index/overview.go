package index

import (
	"context"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// standing selects the memories that are open now and that no person has denied. The denied ones
// are few, and have an index of their own.
const standing = query.IsShown + ` AND m.n NOT IN (SELECT m.n FROM memories m INDEXED BY memories_denied WHERE ` + query.IsDenied + `)`

// Overview returns the open roots that matter most, how many there are, and the
// memories that are read most. It leaves out what a person has denied.
func (d *DB) Overview(ctx context.Context, roots, hottest int) (vault.Overview, error) {
	if err := d.refreshReads(ctx); err != nil {
		return vault.Overview{}, err
	}
	var top, hot []*row
	now := sqlite.Micros(d.opt.Now())
	o, err := askSnapshot(ctx, d, func(t *tx) (o vault.Overview, err error) {
		// Each count is answered by an index, and CROSS JOIN keeps what was read first.
		err = t.One(`SELECT count(*) FROM memories m WHERE m.held = 2 AND `+standing, []any{now}, &o.Memories)
		if err == nil {
			err = t.One(`SELECT (SELECT count(*) FROM memories WHERE parent IS NULL AND held = 2)
				- (SELECT count(*) FROM memories m WHERE `+query.SetAside+` AND m.parent IS NULL AND m.held = 2 AND (`+query.IsShown+`) IS NOT TRUE)
				- (SELECT count(*) FROM memories m INDEXED BY memories_denied WHERE `+query.IsDenied+` AND m.parent IS NULL AND m.held = 2 AND `+query.IsShown+`)`, []any{now, now}, &o.RootCount)
		}
		if err == nil {
			top, err = t.selectRows(`SELECT m.n FROM memories m JOIN files f ON f.n = m.n LEFT JOIN reads r ON r.id = m.id
				WHERE m.parent IS NULL AND m.held = 2 AND `+standing+`
				ORDER BY m.has_block DESC, m.summary <> '' DESC, coalesce(r.count, 0) DESC, row_number() OVER (PARTITION BY f.dir ORDER BY f.path), f.path LIMIT ?`, now, roots)
		}
		if err == nil {
			err = t.countQuiet(top, "")
		}
		if err == nil {
			o.RootsIn, err = t.rootsIn(now)
		}
		if err == nil {
			hot, err = t.selectRows(`SELECT m.n FROM reads r CROSS JOIN memories m ON m.id = r.id JOIN files f ON f.n = m.n
				WHERE m.held = 2 AND `+standing+` AND r.count > 1
				ORDER BY r.count DESC, f.path LIMIT ?`, now, hottest)
		}
		return o, err
	})
	if err == nil {
		o.Roots, o.Hottest = d.nodesWithCounts(ctx, top), d.nodesWithCounts(ctx, hot)
	}
	return o, err
}

// rootsIn counts the open roots of each folder. A memory that stands for its folder lies
// in the one above.
func (t *tx) rootsIn(now any) (map[vault.Path]int, error) {
	in := make(map[vault.Path]int)
	err := t.Each(`SELECT o.path, f.rank > 0, count(*) FROM memories m JOIN files f ON f.n = m.n JOIN folders o ON o.f = f.dir
		WHERE m.parent IS NULL AND m.held = 2 AND `+standing+` AND m.orphan = 0 GROUP BY 1, 2`, []any{now}, func(r *sqlite.Row) error {
		dir := vault.Path(r.Text())
		if seat := r.Bool(); seat {
			dir = dir.Dir()
		}
		if n := r.Int(); dir != "" {
			in[dir] += n
		}
		return nil
	})
	return in, err
}

// Roots returns the open memories without a parent, in display order.
func (d *DB) Roots(ctx context.Context) ([]vault.Node, error) {
	return d.nodes(ctx, `WHERE m.parent IS NULL AND m.held = 2 AND m.status <> 'closed'`+displayOrder)
}

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
		WHERE h.held = 2 AND h.status <> 'closed' AND h.parent IS NOT NULL AND h.depth BETWEEN ? AND ?
		AND r.count > coalesce(pr.count, 0) ORDER BY r.count DESC, hf.path LIMIT ?)
		ORDER BY (SELECT count FROM reads WHERE reads.id = m.id) DESC, f.path`, max(minDepth, 1), vault.TreeCap, limit)
}
