package query

import "github.com/cp-memory/cp/index/sqlite"

// TrailSpan is a part of the files in the order of a list: a condition that an index fits.
type TrailSpan struct {
	Where string
	Args  []any
}

// TrailSpans divides the files f. One commit may have brought many, which come in the order of
// their paths: to sort them would take longer than to go through the index of all paths.
// written orders those in no commit. Each condition has one parameter more, how many rows.
func TrailSpans(t *sqlite.Tx, written string) ([]TrailSpan, error) {
	large, err := LargeCommits(t)
	all := []TrailSpan{{` AND f.head = x'' ORDER BY ` + written + `, f.path LIMIT ?`, nil}, {` AND f.head <> x'' AND f.place IS NULL ORDER BY f.path LIMIT ?`, nil}}
	const between = ` AND f.head <> x'' AND f.place > ? AND f.place < ? ORDER BY f.place, f.path LIMIT ?`
	last := int64(-1 << 62)
	for _, place := range large {
		all = append(all, TrailSpan{between, []any{last, place}}, TrailSpan{` AND f.head <> x'' AND +f.place = ? ORDER BY f.path LIMIT ?`, []any{place}})
		last = place
	}
	return append(all, TrailSpan{between, []any{last, int64(1 << 62)}}), err
}
