package index

import (
	"context"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// Holders returns the memories that pass the filters of o, in path order,
// whatever its limit; where contents is not nil those alone that hold one of
// them. Without o it returns the files of every type and status. It implements
// [embed.Holders].
func (d *DB) Holders(ctx context.Context, o *vault.ListOptions, contents []string) ([]embed.Holder, error) {
	var f filter
	if o != nil {
		f = filterOf(*o, d.opt.Now())
	}
	if contents != nil {
		f.add(`m.content IN (SELECT unhex(value) FROM json_each(?))`, sqlite.List(contents))
	}
	return ask(ctx, d, func(t *tx) ([]embed.Holder, error) {
		return sqlite.All(t.Tx, `SELECT coalesce(m.id, ''), f.path, m.type, m.content FROM memories m JOIN files f ON f.n = m.n `+f.where()+` ORDER BY f.path`, f.args, func(r *sqlite.Row) embed.Holder {
			return embed.Holder{ID: vault.ID(r.Text()), Path: vault.Path(r.Text()), Type: r.Text(), Content: string(r.Hash())}
		})
	})
}
