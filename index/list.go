package index

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// defaultLimit is the page size where none is given.
const defaultLimit = 20

// filter is the WHERE clause of ListOptions, on memories m.
type filter struct {
	terms []string
	args  []any
}

func (f *filter) add(term string, args ...any) {
	f.terms = append(f.terms, " AND "+term)
	f.args = append(f.args, args...)
}

// where returns the clause.
func (f *filter) where() string { return `WHERE TRUE` + strings.Join(f.terms, "") }

// shown selects the memories m that are open now: not closed, and not deferred or to a day
// that has come.
const shown = `m.status <> 'closed' AND coalesce(m.deferred <= ?, m.status <> 'deferred')`

// filterOf writes the options as SQL; now is taken where they name no time.
func filterOf(o vault.ListOptions, now time.Time) filter {
	var f filter
	switch types := orMemory(o.Types); {
	case slices.Contains(types, "*"):
	case len(types) == 1 && types[0] == vault.TypeMemory: // the words of an index
		f.add(`m.type = 'memory'`)
	default:
		f.add(`m.type IN (SELECT value FROM json_each(?))`, sqlite.List(types))
	}
	if slices.Contains(o.Status, "*") {
		return f.more(o)
	}
	if len(o.Status) > 0 {
		f.add(`m.status IN (SELECT value FROM json_each(?))`, sqlite.List(o.Status))
	} else {
		if !o.Now.IsZero() {
			now = o.Now
		}
		f.add(shown, sqlite.Micros(now))
	}
	return f.more(o)
}

// more adds what is left when type and status are dealt with.
func (f filter) more(o vault.ListOptions) filter {
	if len(o.Labels) > 0 {
		f.add(`m.n IN (SELECT n FROM labels WHERE label IN (SELECT value FROM json_each(?)))`, sqlite.List(o.Labels))
	}
	if o.Roots {
		f.add(`m.parent IS NULL`)
	}
	if !o.Since.IsZero() {
		f.add(dated+` >= ?`, sqlite.Micros(o.Since))
	}
	if o.Under != "" {
		f.add(`m.id <> ? AND m.n IN (`+subtree+`)`, o.Under, o.Under, vault.MaxDepth)
	}
	if o.Dir != "" {
		f.add(`m.n IN (`+inside+`)`, within(o.Dir)...)
	}
	return f
}

func orMemory(types []string) []string {
	if len(types) == 0 {
		return []string{vault.TypeMemory}
	}
	return types
}

// page returns LIMIT and OFFSET.
func page(o vault.ListOptions) (limit, offset int) {
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
	f := filterOf(o, d.opt.Now())
	limit, offset := page(o)
	var total int
	rows, err := ask(ctx, d, func(t *tx) ([]*row, error) {
		if err := t.One(`SELECT count(*) FROM memories m `+f.where(), f.args, &total); err != nil {
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
	return d.counted(ctx, rows), total, nil
}

// Holders returns the memories that pass the filters of o, in path order, and ignores its
// limit. Unless contents is nil, it returns only those that hold one of them. If o is nil
// it returns the files of every type and status. It implements [embed.Holders].
func (d *DB) Holders(ctx context.Context, o *vault.ListOptions, contents []string) ([]embed.Holder, error) {
	var f filter
	if o != nil {
		if err := d.traceFor(ctx, *o); err != nil {
			return nil, err
		}
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
