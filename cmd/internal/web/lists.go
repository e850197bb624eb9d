package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// pager says which rows of a list are shown, and where the others are.
type pager struct{ Line, Prev, Next string }

// pager returns that of a page with so many rows of all.
func (c *call) pager(from, rows, total int, one, many string) (p pager) {
	if rows == 0 || from == 0 && rows == total {
		if total > 0 {
			p.Line = vault.Plural(total, one, many)
		}
		return p
	}
	p.Line = fmt.Sprintf("%d–%d of %d %s", from+1, from+rows, total, many)
	if from > 0 {
		p.Prev = c.rowsAddress(max(from-pageRows, 0))
	}
	if from+rows < total {
		p.Next = c.rowsAddress(from + rows)
	}
	return p
}

// rowsAddress is the address of the page with other rows.
func (c *call) rowsAddress(offset int) string {
	q := maps.Clone(c.r.URL.Query())
	q.Del("offset")
	if offset > 0 {
		q.Set("offset", strconv.Itoa(offset))
	}
	return (&url.URL{Path: c.r.URL.Path, RawQuery: q.Encode()}).String()
}

// offset is the first row that is asked for.
func (c *call) offset() int {
	n, _ := strconv.Atoi(c.r.URL.Query().Get("offset"))
	return max(n, 0)
}

// limit is how many rows are asked for, at most as many as a page has.
func (c *call) limit(otherwise int) int {
	n, _ := strconv.Atoi(c.r.URL.Query().Get("limit"))
	return min(max(cmp.Or(n, otherwise), 1), pageRows)
}

// listed is the body of a page of rows.
type listed struct {
	Days          []dayRows
	Filter        filterForm
	Kinds, Levels []choice
	Leg           string // which way of searching this is
	None, Hint    string
	Pager         pager
}

// dayRows are rows under a heading, which may be empty.
type dayRows struct {
	Name string
	Rows []tree.ListRow
}

type filterForm struct{ Query, Label, Status, Under, Since, Spec string }

type choice struct {
	Name   string
	Chosen bool
}

// filter reads the filters of the command line from the address.
func (c *call) filter() (app.Filter, filterForm) {
	q := c.r.URL.Query()
	form := filterForm{Query: q.Get("q"), Label: strings.Join(q["label"], ","), Status: q.Get("status"), Under: q.Get("under"), Since: q.Get("since"), Spec: q.Get("spec")}
	split := func(s string) []string {
		return slices.DeleteFunc(strings.FieldsFunc(s, func(r rune) bool { return r == ',' }), func(s string) bool { return strings.TrimSpace(s) == "" })
	}
	f := app.Filter{Labels: split(form.Label), Status: split(form.Status), Under: form.Under, Since: form.Since, Spec: form.Spec, Commits: q.Get("commits"), Until: q.Get("until"), Roots: q.Get("roots") != "", Levels: split(q.Get("level")), Types: split(q.Get("type")), Offset: c.offset()}
	return f, form
}

// search answers with the memories that hold the words of a question; without words it lists
// what passes the filters.
func search(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	f, form := c.filter()
	f.Limit, f.Facts = c.limit(20), c.json
	form.Query = strings.TrimSpace(form.Query)
	body := listed{Filter: form, Leg: "Whole words in titles, phrases and texts, the best first.", None: "No matching memories found."}
	p, err := app.Page{}, error(nil)
	if form.Query == "" {
		body.Leg = "All memories that pass the filters, the newest first."
		p, err = fam.List(ctx, f)
	} else {
		p, err = fam.SearchMemories(ctx, form.Query, f)
	}
	if err != nil {
		return err
	}
	body.Days, body.Hint = []dayRows{{Rows: p.Rows}}, p.Hint
	if len(p.Rows) == 0 {
		body.Days = nil
	}
	body.Pager = c.pager(p.Offset, len(p.Rows), p.Total, "memory", "memories")
	title := "Search"
	if form.Query != "" {
		title += ": " + form.Query
	}
	return c.answer(p.Rows, c.frame(title, "/search"), "list", body)
}

// journalPage lists entries by day, the newest first.
func journalPage(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	f, form := c.filter()
	f.Limit = c.limit(50)
	if len(f.Status) == 0 {
		f.Status = []string{"*"}
	}
	chosen := c.r.URL.Query().Get("kind")
	body := listed{Filter: form, None: "Nothing was captured yet."}
	for _, k := range header.Kinds() {
		body.Kinds = append(body.Kinds, choice{string(k), string(k) == chosen})
		if chosen == "" {
			f.Types = append(f.Types, string(k))
		}
	}
	for _, l := range []string{"pending", "long-term", "core"} {
		body.Levels = append(body.Levels, choice{l, slices.Contains(f.Levels, l)})
	}
	if chosen != "" {
		f.Types = []string{chosen}
	}
	p, err := fam.List(ctx, f)
	if err != nil {
		return err
	}
	for _, row := range p.Rows {
		day := row.Created.UTC().Format("2006-01-02")
		if n := len(body.Days); n == 0 || body.Days[n-1].Name != day {
			body.Days = append(body.Days, dayRows{Name: day})
		}
		last := &body.Days[len(body.Days)-1]
		last.Rows = append(last.Rows, row)
	}
	body.Pager = c.pager(p.Offset, len(p.Rows), p.Total, "entry", "entries")
	return c.answer(p.Rows, c.frame("Journal", "/journal"), "list", body)
}
