package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/header"
)

// Filter is a WHERE clause with its arguments.
type Filter struct {
	Terms []string
	Args  []any
}

// IsShown selects the memories that are open now: not closed, and not deferred or to a day
// that has come.
const IsShown = `m.status <> 'closed' AND coalesce(m.deferred <= ?, m.status <> 'deferred')`

// SetAside selects what the ordinary filter may leave out. It has an index of its own,
// which only these words make SQLite use.
const SetAside = `(m.held <> 2 OR m.status IN ('closed', 'deferred') OR m.deferred IS NOT NULL)`

// IsUnfound selects what a search that finds entries, too, may leave out. It has an index of
// its own as well.
const IsUnfound = `(m.held = 0 OR m.status IN ('closed', 'deferred') OR m.deferred IS NOT NULL OR m.denied_at IS NOT NULL)`

// CreatedOrDated is when a memory was made, in microseconds: what it says, else when its first
// commit was made, else when its file was written.
const CreatedOrDated = `coalesce(m.created, (SELECT iif(x.head = x'', x.mtime * 1000000, c.time) FROM files x LEFT JOIN commits c ON c.place = x.place WHERE x.n = m.n))`

// InsideFolder selects the files in a folder and below; Within are its arguments.
const InsideFolder = `SELECT n FROM files WHERE path > ? AND path < ?`

// WithinRange returns the arguments of Inside.
func WithinRange(dir vault.Path) []any { return []any{dir + "/", dir + "0"} } // "0" follows "/"

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

// keepValues keeps the rows whose column has one of the values.
func (f *Filter) keepValues(column string, values []string) {
	f.add(column+` IN (SELECT value FROM json_each(?))`, sqlite.List(values))
}

// Contents keeps the rows with one of the contents, in hex.
func (f *Filter) Contents(all []string) {
	f.add(`m.content IN (SELECT unhex(value) FROM json_each(?))`, sqlite.List(all))
}

// Where returns the clause.
func (f *Filter) Where() string { return `WHERE TRUE` + strings.Join(f.Terms, "") }

// Condition returns what every term together says, as a condition.
func (f *Filter) Condition() string { return `(TRUE` + strings.Join(f.Terms, "") + `)` }

// Matching selects the rows of docs that match, few or not, and pass the filter. from is
// the clause for the rows that match.
// The unary + keeps the filter out of the full-text search, which would otherwise
// be run once for each row that passes it.
func (f *Filter) Matching(from string, few bool) string {
	if few {
		return from + ` AND EXISTS (SELECT 1 FROM memories m ` + f.Where() + ` AND m.n = docs.rowid)`
	}
	return from + ` AND +rowid IN (SELECT m.n FROM memories m ` + f.Where() + `)`
}

// NewFilter writes the options as SQL; now is taken where they name no time.
func NewFilter(o vault.ListOptions, now time.Time) Filter {
	var f Filter
	kinds := f.types(o) && !o.Open // a resolved blocker is an answer
	if !o.Now.IsZero() {
		now = o.Now
	}
	if o.Hidden && kinds {
		f.add(`FALSE`)
	} else if o.Hidden {
		f.add(`(`+IsUnfound+` AND (`+IsShown+`) IS NOT TRUE)`, sqlite.Micros(now))
	}
	switch {
	case slices.Contains(o.Status, "*"):
	case len(o.Status) > 0:
		words := make([]string, len(o.Status))
		for i, word := range o.Status {
			words[i] = header.NormalStatus(word)
		}
		f.keepValues(`m.status`, words)
	case !o.Hidden && !kinds:
		f.add(IsShown, sqlite.Micros(now))
	}
	f.addPlaces(o)
	return f
}

// PlaceFilter selects what lies below the memory, or in the folder, that the options name. ok is false
// where they name none.
func PlaceFilter(o vault.ListOptions) (f Filter, ok bool) {
	f.addPlaces(vault.ListOptions{Under: o.Under, Dir: o.Dir})
	return f, len(f.Terms) > 0
}

// types adds what an entry or a memory is. It reports whether only kinds of entries are asked
// for.
func (f *Filter) types(o vault.ListOptions) (kinds bool) {
	switch {
	case slices.Contains(o.Types, "*"):
	case len(o.Types) == 0 && entryKinds(o):
		f.add(`m.held > 0`)
	case len(o.Types) == 0 || len(o.Types) == 1 && o.Types[0] == vault.TypeMemory: // the words of an index
		f.add(`m.held = 2`)
	default:
		var all []string
		all, kinds = parseTypes(o.Types)
		f.keepValues(`m.type`, all)
	}
	if o.Found {
		f.add(`NOT ` + IsDenied)
	}
	f.addWork(o)
	if len(o.Levels) > 0 {
		f.levels(o.Levels)
	}
	return kinds
}

// addWork keeps the entries of a piece of work, and those that tell of some commits.
func (f *Filter) addWork(o vault.ListOptions) {
	if o.Spec != "" {
		f.add(`m.spec <> '' AND m.spec = ?`, o.Spec)
	}
	switch {
	case len(o.Commits) == 1 && o.Commits[0] == "*":
		f.add(`m.anchor <> ''`)
	case o.Commits != nil:
		f.add(`m.anchor <> '' AND m.anchor IN (SELECT value FROM json_each(?))`, sqlite.List(o.Commits))
	}
}

// entryKinds reports whether entries of the journal are asked for beside what the tree shows.
// Whoever names the place wants what lies there.
func entryKinds(o vault.ListOptions) bool {
	return o.Found || o.Under != "" || o.Spec != "" || o.Commits != nil || len(o.Levels) > 0
}

// parseTypes returns the types that words name: a namespace names its kinds. kinds reports whether
// all of them are kinds of entries.
func parseTypes(words []string) (types []string, kinds bool) {
	kinds = true
	for _, word := range words {
		k, ok := header.ParseKind(word)
		if !ok {
			types, kinds = append(types, word), false
			continue
		}
		types = append(types, string(k))
		if k == header.Review && word == k.Namespace() {
			types = append(types, string(header.Finding))
		}
	}
	return types, kinds
}

// IsDenied selects the entries that a person has denied: the later of approval and denial
// decides, and a tie denies.
const IsDenied = `(m.denied_at IS NOT NULL AND coalesce(m.approved_at <= m.denied_at, TRUE))`

// Levels are the conditions of the levels. A memory of the tree is long-term.
var Levels = map[string]string{
	"core":      `m.core_at IS NOT NULL`,
	"long-term": `m.core_at IS NULL AND m.held = 2`,
	"pending":   `m.core_at IS NULL AND (m.type = 'observation' OR m.wants_place = 'true') AND m.long_term_at IS NULL AND NOT ` + IsDenied,
}

// levels keeps what has one of the levels.
func (f *Filter) levels(all []string) {
	var any []string
	for _, l := range all {
		any = append(any, "("+cmp.Or(Levels[l], "FALSE")+")")
	}
	f.add(`(` + strings.Join(any, " OR ") + `)`)
}

// addPlaces adds labels, dates and places.
func (f *Filter) addPlaces(o vault.ListOptions) {
	if len(o.Labels) > 0 {
		f.add(`m.n IN (SELECT n FROM labels WHERE label IN (SELECT value FROM json_each(?)))`, sqlite.List(o.Labels))
	}
	if o.Roots {
		f.add(`m.parent IS NULL`)
	}
	if !o.Since.IsZero() {
		f.add(CreatedOrDated+` >= ?`, sqlite.Micros(o.Since))
	}
	if !o.Until.IsZero() {
		f.add(CreatedOrDated+` < ?`, sqlite.Micros(o.Until))
	}
	switch {
	case o.Under != "" && o.Direct:
		f.add(`m.parent = (SELECT n FROM memories WHERE id = ?)`, o.Under)
	case o.Under != "":
		f.add(`m.id <> ? AND m.n IN (`+Subtree+`)`, o.Under, o.Under, vault.MaxDepth)
	}
	if o.Dir != "" {
		f.add(`m.n IN (`+InsideFolder+`)`, WithinRange(o.Dir)...)
	}
	if o.Files != nil {
		f.add(`m.n IN (SELECT n FROM files WHERE path IN (SELECT value FROM json_each(?)))`, sqlite.List(*o.Files))
	}
	f.share(o.Share)
}

// share keeps what lies in the areas that are meant.
func (f *Filter) share(s family.Share) {
	if len(s.Areas) == 0 {
		return
	}
	var of strings.Builder
	var args []any
	for _, a := range s.Areas {
		of.WriteString(` WHEN path = ? OR path > ? AND path < ? THEN ?`)
		args = append(append(append(args, a.File), WithinRange(vault.Path(a.Folder))...), a.In)
	}
	f.add(`m.n IN (SELECT n FROM files WHERE CASE`+of.String()+` ELSE ? END)`, append(args, s.Rest)...)
}

// CountLeft returns a condition for all rows that may not pass, where only what is open is asked
// for: [SetAside], or [IsUnfound] where entries are, too; else "".
func CountLeft(o vault.ListOptions) string {
	switch plain := !o.Hidden && o.Files == nil && len(o.Status)+len(o.Labels)+len(o.Levels) == 0 && o.Spec == "" && o.Commits == nil && o.Under == "" && o.Dir == "" && len(o.Share.Areas) == 0 && !o.Roots && o.Since.IsZero() && o.Until.IsZero(); {
	case plain && len(o.Types) == 0 && o.Found:
		return IsUnfound
	case plain && (len(o.Types) == 0 || slices.Equal(o.Types, []string{vault.TypeMemory})):
		return SetAside
	}
	return ""
}

// IsNarrow reports whether few rows may pass the filter.
func IsNarrow(o vault.ListOptions) bool {
	return len(o.Labels)+len(o.Levels) > 0 || o.Files != nil || o.Spec != "" || o.Commits != nil || o.Under != "" || o.Dir != "" || len(o.Share.Areas) > 0 || o.Roots || !o.Since.IsZero() || !o.Until.IsZero()
}
