package vectors

import (
	"slices"
	"sort"

	"github.com/cp-memory/cp/index/sqlite"
)

// weighPassages weighs all passages, and returns so many of the nearest, in order.
func (q *search) weighPassages(most int) ([]passage, error) {
	best := nearestOf{most: most}
	if !q.warm.Swap(true) { // most processes ask once: memory for the file's pages would cost more than it gives
		q.Exec(`PRAGMA cache_size = -2048`)
		defer q.Exec(`PRAGMA cache_size = ` + sqlite.Cache)
	}
	err := q.Each(`SELECT vectors FROM pages WHERE n >= ? AND n < ? ORDER BY n`,
		[]any{pageKey(q.space, 0), pageKey(q.space+1, 0)}, func(r *sqlite.Row) error {
			p, err := readPage(r, 0, len(q.query))
			for i := range p.len() {
				if err == nil && (q.wanted == nil || q.wanted[p.digest(i)]) {
					scale, values := p.vector(i)
					best.offer(dot(q.query, scale, values), p.digest(i))
				}
			}
			return err
		})
	return best.sortNearest(), err
}

// weigh compares the query with the numbers of the passages at the places, which ascend, and
// returns them in order.
func (q *search) weigh(by *coarse, places []int) ([]passage, error) {
	per := perPage(len(q.query))
	keys := make([]int64, 0, len(places))
	for _, at := range places {
		if key := pageKey(q.space, int64(at/per)); len(keys) == 0 || keys[len(keys)-1] != key {
			keys = append(keys, key)
		}
	}
	near := make([]passage, 0, len(places))
	err := q.Each(`SELECT n, vectors FROM pages WHERE n IN (SELECT value FROM json_each(?))`,
		[]any{sqlite.List(keys)}, func(r *sqlite.Row) error {
			first := int(r.Int64()-pageKey(q.space, 0)) * per
			p, err := readPage(r, 0, len(q.query))
			for i := sort.SearchInts(places, first); err == nil && i < len(places) && places[i] < first+per; i++ {
				at := places[i] - first
				if at >= p.len() || p.digest(at) != by.digest(places[i]) {
					return sqlite.ErrDamaged
				}
				scale, values := p.vector(at)
				near = append(near, passage{p.digest(at), dot(q.query, scale, values)})
			}
			return err
		})
	if err == nil && len(near) < len(places) {
		err = sqlite.ErrDamaged
	}
	slices.SortFunc(near, nearer)
	return near, err
}

// weighSingles is weigh in a file of version 2, which has a row for each vector.
func (q *search) weighSingles(by *coarse, places []int) ([]passage, error) {
	hashes := make([]string, len(places))
	for i, at := range places {
		hashes[i] = by.digest(at).String()
	}
	near := make([]passage, 0, len(places))
	err := q.Each(`SELECT passage, scale, numbers FROM vectors WHERE s = ? AND passage IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{q.space, sqlite.List(hashes)}, func(r *sqlite.Row) error {
			hash, scale, values := digest(r.Blob()), r.Float(), r.Blob()
			if len(values) != len(q.query) {
				return sqlite.ErrDamaged
			}
			near = append(near, passage{hash, dot(q.query, float32(scale), values)})
			return nil
		})
	slices.SortFunc(near, nearer)
	return near, err
}
