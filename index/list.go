package index

import (
	"context"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// defaultLimit is the page size where none is given.
const defaultLimit = 20

// pageLimits returns LIMIT and OFFSET.
func pageLimits(o vault.ListOptions) (limit, offset int) {
	if limit = o.Limit; limit <= 0 {
		limit = defaultLimit
	}
	return limit, max(o.Offset, 0)
}

// List returns a page of memories and how many there are on all pages. First come those in
// no commit, by their dates, then the others by the commits that brought them, the newest first. Those of
// one commit come in the order of their paths.
func (d *DB) List(ctx context.Context, o vault.ListOptions) ([]vault.Node, int, error) {
	if err := d.trace(ctx); err != nil {
		return nil, 0, err
	}
	f := query.NewFilter(o, d.opt.Now())
	limit, offset := pageLimits(o)
	var total int
	rows, err := askSnapshot(ctx, d, func(t *tx) ([]*row, error) {
		if err := t.One(`SELECT count(*) FROM memories m `+f.Where(), f.Args, &total); err != nil {
			return nil, err
		}
		order, err := t.newest(f, total, limit, offset)
		if err != nil {
			return nil, err
		}
		return t.rowsIn(order)
	})
	if err != nil {
		return nil, 0, err
	}
	return d.nodesWithCounts(ctx, rows), total, nil
}

// Holders returns the memories that pass the filters of o, in path order, and ignores its
// limit. Unless contents is nil, it returns only those that hold one of them. If o is nil
// it returns the files of every type and status. It implements [embed.Holders].
func (d *DB) Holders(ctx context.Context, o *vault.ListOptions, contents []string) ([]embed.Holder, error) {
	var f query.Filter
	if o != nil {
		if err := d.traceFor(ctx, *o); err != nil {
			return nil, err
		}
		f = query.NewFilter(*o, d.opt.Now())
	}
	if contents != nil {
		f.Contents(contents)
	}
	return askSnapshot(ctx, d, func(t *tx) ([]embed.Holder, error) {
		return sqlite.All(t.Tx, `SELECT coalesce(m.id, ''), f.path, m.type, m.content FROM memories m JOIN files f ON f.n = m.n `+f.Where()+` ORDER BY f.path`, f.Args, func(r *sqlite.Row) embed.Holder {
			return embed.Holder{ID: vault.ID(r.Text()), Path: vault.Path(r.Text()), Type: r.Text(), Content: string(r.Hash())}
		})
	})
}
