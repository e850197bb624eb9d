package query

import (
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// SiblingOrder orders the children of one parent: as its block does, then by creation time, those
// without one at the end.
const SiblingOrder = ` ORDER BY q.position IS NULL, q.position, m.created IS NULL, m.created, f.path`

// ordered selects the numbers of memories with what orders them.
const ordered = `SELECT m.n FROM memories m JOIN files f ON f.n = m.n
	LEFT JOIN pointers q ON q.parent = m.parent AND q.id = m.id AND q.position = (SELECT min(position) FROM pointers o WHERE o.parent = m.parent AND o.id = m.id) `

// ReadChildren returns the numbers of the rows on a page of open children, and the page without its
// nodes. It fills in the parent's number, id and file, unless roots are meant.
func ReadChildren(t *sqlite.Tx, o tree.PageOptions, parent *int64, id *vault.ID, file *vault.Path) (numbers []int64, p tree.ChildrenPage, err error) {
	from, args := `m.parent IS NULL AND m.held = 2`, []any{}
	if o.Of != "" {
		found, err := t.Maybe(`SELECT m.n, m.id, f.path FROM memories m JOIN files f ON f.n = m.n WHERE m.id = ? AND m.held > 0`, []any{o.Of}, parent, id, file)
		if err == nil && !found {
			err = vault.NotFound(string(o.Of))
		}
		if err != nil {
			return nil, p, err
		}
		from, args = `m.parent = ? AND m.held > 0`, []any{*parent}
		if err := t.One(`SELECT count(*) FROM memories m WHERE `+from, args, &p.All); err != nil {
			return nil, p, err
		}
	}
	all, err := sqlite.All(t, ordered+`WHERE `+from+` AND (m.status <> 'closed' OR m.id = ?)`+SiblingOrder, append(args, o.With), (*sqlite.Row).Int64)
	if err != nil {
		return nil, p, err
	}
	p.Total, p.From = len(all), max(min(o.From, len(all)), 0)
	if p.All = max(p.All, p.Total); o.With != "" {
		var with int64
		found, err := t.Maybe(`SELECT n FROM memories WHERE id = ?`, []any{o.With}, &with)
		if at := slices.Index(all, with); err == nil && found && at >= 0 {
			p.From = at / max(o.Most, 1) * o.Most
		}
		if err != nil {
			return nil, p, err
		}
	}
	numbers = all[p.From:min(p.From+o.Most, len(all))]
	p.Marks, err = readMarks(t, numbers)
	return numbers, p, err
}

// IsSuperseded is the condition that a memory m says what has taken its place, or another one says that
// it has. The second part names both kinds of links that links_succession holds: for one of them
// alone SQLite does not use that index, and reads all links for each row.
const IsSuperseded = `(` + superseded + ` OR EXISTS (SELECT 1 FROM links l WHERE l.kind IN ('supersedes', 'superseded_by') AND l.kind = 'supersedes' AND l.target = m.id))`

// readMarks returns the marks of memories, in their order.
func readMarks(t *sqlite.Tx, numbers []int64) ([]tree.Marks, error) {
	of := make(map[int64]tree.Marks, len(numbers))
	err := t.Each(`SELECT m.n, f.hash <> f.head AND NOT f.aside, m.summary_of <> '' AND substr(lower(hex(m.content)), 1, length(m.summary_of)) <> m.summary_of,
	`+IsSuperseded+`, `+IsDenied+`, m.protected
FROM json_each(?) j CROSS JOIN memories m ON m.n = j.value JOIN files f ON f.n = m.n`, []any{sqlite.List(numbers)}, func(r *sqlite.Row) error {
		of[r.Int64()] = tree.Marks{Uncommitted: r.Bool(), Stale: r.Bool(), Superseded: r.Bool(), Denied: r.Bool(), Protected: r.Text()}
		return nil
	})
	out := make([]tree.Marks, len(numbers))
	for i, n := range numbers {
		out[i] = of[n]
	}
	return out, err
}

const titles = `SELECT coalesce(m.id, ''), m.title,
	iif(m.summary <> '', m.summary, coalesce((SELECT summary FROM pointers o WHERE o.parent = m.parent AND o.id = m.id ORDER BY position LIMIT 1), '')), f.path
FROM files f CROSS JOIN memories m ON m.n = f.n WHERE f.path > ? AND f.path < ? AND m.held = 2 AND m.status <> 'closed' ORDER BY f.path`

// ReadTitles calls fn for each open memory of a scope, by path. It holds one row at a time.
func ReadTitles(t *sqlite.Tx, o tree.TitleScope, fn func(tree.Titled)) error {
	if wanted, err := forest(t, o.If); err != nil || !wanted {
		return err
	}
	within := []any{"", "\U0010ffff"}
	if o.Dir != "" {
		within = WithinRange(o.Dir)
	}
	return t.Each(titles, within, func(r *sqlite.Row) error {
		fn(tree.Titled{ID: vault.ID(r.Text()), Title: r.Text(), Phrase: vault.Phrase(r.Text()), Path: vault.Path(r.Text())})
		return nil
	})
}

// forest asks what is wanted about the open roots; nil wants any.
func forest(t *sqlite.Tx, wanted func(roots, blocks int) bool) (bool, error) {
	if wanted == nil {
		return true, nil
	}
	var roots, blocks int
	err := t.One(`SELECT count(*), coalesce(sum(has_block), 0) FROM memories WHERE parent IS NULL AND held = 2 AND status <> 'closed'`, nil, &roots, &blocks)
	return err == nil && wanted(roots, blocks), err
}
