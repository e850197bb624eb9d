package code

import (
	"context"
	"path"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// Book answers which memory is about which code.
type Book struct {
	View func(ctx context.Context, fn func(*sqlite.Tx) error) error // runs fn on a snapshot
	Note func(ctx context.Context, fn func(*sqlite.Tx) error) error // runs fn in a short write, which may fail
	Now  func() int64                                               // microseconds since 1970
}

var (
	_ about.Bindings = Book{}
	_ about.Verdicts = Book{}
)

// isQuiet selects memories of which nothing is loud: they tell of what was, or are over.
const isQuiet = `(m.held <> 2 OR m.status IN ('closed', 'deferred') OR ` + query.IsSuperseded + `)`

// isHidden selects those that no agent is told of unasked.
var isHidden = `(m.held = 0 OR m.status = 'closed' OR ` + query.IsDenied + ` OR ` + query.Levels["pending"] + `)`

var selectBound = `SELECT m.id, f.path, b.binding, b.stamp, b.words, b.finding, ` + isQuiet + `, ` + isHidden + `
	FROM about_bindings b CROSS JOIN memories m USING (n) CROSS JOIN files f USING (n) WHERE m.id IS NOT NULL AND `

// HasAny is that of [about.Bindings].
func (b Book) HasAny(ctx context.Context) (any bool, err error) {
	err = b.View(ctx, func(t *sqlite.Tx) error { return t.One(`SELECT EXISTS (SELECT 1 FROM about_bindings)`, nil, &any) })
	return any, err
}

// OfMemories is that of [about.Bindings].
func (b Book) OfMemories(ctx context.Context, ids []vault.ID) ([]about.Row, error) {
	return b.findRows(ctx, `b.n IN (SELECT n FROM memories WHERE id IN (SELECT value FROM json_each(?))) ORDER BY m.id, b.position`, sqlite.List(ids))
}

// AllBindings is that of [about.Bindings].
func (b Book) AllBindings(ctx context.Context) ([]about.Row, error) {
	return b.findRows(ctx, `NOT b.finding ORDER BY f.path, b.position`)
}

// OfFile is that of [about.Bindings].
func (b Book) OfFile(ctx context.Context, name string) ([]about.Row, error) {
	dirs := []string{""}
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	rows, err := b.findRows(ctx, `b.n IN (SELECT n FROM about_bindings WHERE path <> '' AND path = ?
		UNION SELECT n FROM about_bindings WHERE dir IS NOT NULL AND dir IN (SELECT value FROM json_each(?))) ORDER BY f.path, b.position`, name, sqlite.List(dirs))
	var out []about.Row
	for _, r := range rows {
		if binding, err := about.Parse(r.Text); err == nil && binding.Covers(name) {
			out = append(out, r)
		}
	}
	return out, err
}

func (b Book) findRows(ctx context.Context, where string, args ...any) (all []about.Row, err error) {
	err = b.View(ctx, func(t *sqlite.Tx) error {
		all = nil
		return t.Each(selectBound+where, args, func(r *sqlite.Row) error {
			row := about.Row{Bound: about.Bound{ID: vault.ID(r.Text())}, File: vault.Path(r.Text())}
			row.Text = r.Text()
			if s, ok := about.ParseStamp(r.Text()); ok {
				row.Stamp = &s
			}
			if words := r.Text(); words != "" {
				row.Words = strings.Split(words, " ")
			}
			row.Finding, row.Quiet, row.Hidden = r.Bool(), r.Bool(), r.Bool()
			all = append(all, row)
			return nil
		})
	})
	return all, err
}
