package filter

import (
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// Filter is a WHERE clause with its arguments.
type Filter struct {
	Terms []string
	Args  []any
}

// Shown selects the memories that are open now: not closed, and not deferred or to a day
// that has come.
const Shown = `m.status <> 'closed' AND coalesce(m.deferred <= ?, m.status <> 'deferred')`

// Aside selects what the ordinary filter may leave out. It has an index of its own,
// which only these words make SQLite use.
const Aside = `(m.held <> 2 OR m.status IN ('closed', 'deferred') OR m.deferred IS NOT NULL)`

// Dated is when a memory was made, in microseconds: what it says, else when its first
// commit was made, else when its file was written.
const Dated = `coalesce(m.created, (SELECT iif(x.head = x'', x.mtime * 1000000, c.time) FROM files x LEFT JOIN commits c ON c.place = x.place WHERE x.n = m.n))`

// Inside selects the files in a folder and below; Within are its arguments.
const Inside = `SELECT n FROM files WHERE path > ? AND path < ?`

// Within returns the arguments of Inside.
func Within(dir vault.Path) []any { return []any{dir + "/", dir + "0"} } // "0" follows "/"

// Subtree selects the memory of an id and what lies at most so many levels below it.
const Subtree = `WITH RECURSIVE down(n, level) AS (
		SELECT n, 0 FROM memories WHERE id = ?
		UNION ALL
		SELECT c.n, level + 1 FROM down JOIN memories c ON c.parent = down.n WHERE level < ?
	) SELECT n FROM down`

func (f *Filter) add(term string, args ...any) {
	f.Terms = append(f.Terms, " AND "+term)
	f.Args = append(f.Args, args...)
}

// in keeps the rows whose column has one of the values.
func (f *Filter) in(column string, values []string) {
	f.add(column+` IN (SELECT value FROM json_each(?))`, sqlite.List(values))
}

// Contents keeps the rows with one of the contents, in hex.
func (f *Filter) Contents(all []string) {
	f.add(`m.content IN (SELECT unhex(value) FROM json_each(?))`, sqlite.List(all))
}

// Where returns the clause.
func (f *Filter) Where() string { return `WHERE TRUE` + strings.Join(f.Terms, "") }

// All returns what every term together says, as a condition.
func (f *Filter) All() string { return `(TRUE` + strings.Join(f.Terms, "") + `)` }

// Matching selects the rows of docs that match, few or not, and pass the filter.
// The unary + keeps the filter out of the full-text search, which would otherwise
// be run once for each row that passes it.
func (f *Filter) Matching(few bool) string {
	if few {
		return `FROM docs WHERE docs MATCH ? AND EXISTS (SELECT 1 FROM memories m ` + f.Where() + ` AND m.n = docs.rowid)`
	}
	return `FROM docs WHERE docs MATCH ? AND +rowid IN (SELECT m.n FROM memories m ` + f.Where() + `)`
}

// Of writes the options as SQL; now is taken where they name no time.
func Of(o vault.ListOptions, now time.Time) Filter {
	var f Filter
	switch types := orMemory(o.Types); {
	case slices.Contains(types, "*"):
	case len(o.Types) == 0 && o.Under != "": // whoever names the place wants what lies there
		f.add(`m.held > 0`)
	case len(types) == 1 && types[0] == vault.TypeMemory: // the words of an index
		f.add(`m.held = 2`)
	default:
		f.in(`m.type`, types)
	}
	switch {
	case slices.Contains(o.Status, "*"):
	case len(o.Status) > 0:
		f.in(`m.status`, o.Status)
	default:
		if !o.Now.IsZero() {
			now = o.Now
		}
		f.add(Shown, sqlite.Micros(now))
	}
	f.place(o)
	return f
}

// place adds labels, dates and places.
func (f *Filter) place(o vault.ListOptions) {
	if len(o.Labels) > 0 {
		f.add(`m.n IN (SELECT n FROM labels WHERE label IN (SELECT value FROM json_each(?)))`, sqlite.List(o.Labels))
	}
	if o.Roots {
		f.add(`m.parent IS NULL`)
	}
	if !o.Since.IsZero() {
		f.add(Dated+` >= ?`, sqlite.Micros(o.Since))
	}
	switch {
	case o.Under != "" && o.Direct:
		f.add(`m.parent = (SELECT n FROM memories WHERE id = ?)`, o.Under)
	case o.Under != "":
		f.add(`m.id <> ? AND m.n IN (`+Subtree+`)`, o.Under, o.Under, vault.MaxDepth)
	}
	if o.Dir != "" {
		f.add(`m.n IN (`+Inside+`)`, Within(o.Dir)...)
	}
}

func orMemory(types []string) []string {
	if len(types) == 0 {
		return []string{vault.TypeMemory}
	}
	return types
}

// Ordinary reports whether only memories are asked for, and all that are open.
func Ordinary(o vault.ListOptions) bool {
	return slices.Equal(orMemory(o.Types), orMemory(nil)) && len(o.Status)+len(o.Labels) == 0 && o.Under == "" && !o.Roots && o.Since.IsZero()
}

// Narrow reports whether few rows may pass the filter.
func Narrow(o vault.ListOptions) bool {
	return len(o.Labels) > 0 || o.Under != "" || o.Roots || !o.Since.IsZero()
}
