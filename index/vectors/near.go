package vectors

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

// weighed is how many of the passages with the nearest bits are weighed by their numbers, for
// each answer wanted and at least, in a space of one passage a text; weighedMost bounds how much
// more they are where texts have more. It is a choice: more cost a little, since the bits of all
// vectors are looked at anyhow.
const (
	weighed      = 8
	weighedLeast = 400
	weighedMost  = 8
)

// Nearest returns the k contents with the passages nearest to the query, the best first. Unless
// only is nil, it looks among the contents in only.
func (v *DB) Nearest(ctx context.Context, s embed.Space, query []float32, k int, only map[string]bool) (best []embed.Near, err error) {
	err = v.view(ctx, func(t *sqlite.Tx) error {
		n, found, err := numberOf(t, s)
		if err != nil || !found {
			return err
		}
		q := search{Tx: t, space: n, query: query}
		if err := q.among(only); err != nil {
			return err
		}
		best, err = q.nearest(k)
		return err
	})
	return best, err
}

// search is one search under way.
type search struct {
	*sqlite.Tx
	space  int64
	query  []float32
	only   map[string]bool // the contents that count; nil means all
	wanted map[digest]bool // their passages; nil means all
}

// nearest returns the k nearest contents. Long texts may have taken all the places of those that
// are weighed: then more are.
func (q *search) nearest(k int) ([]embed.Near, error) {
	scan, passages, err := q.bits()
	if err != nil {
		return nil, err
	}
	each, err := q.each(len(passages.passages) / len(digest{}))
	if err != nil {
		return nil, err
	}
	for most := each * max(weighed*k, weighedLeast); ; most *= 4 {
		places := scan.best(most)
		best, err := q.weigh(&passages, places, k)
		if err != nil || len(best) == k || len(places) < most {
			return best, err
		}
	}
}

// each returns how many passages a text has, rounded up.
func (q *search) each(passages int) (int, error) {
	var texts int
	err := q.One(`SELECT texts FROM spaces WHERE s = ?`, []any{q.space}, &texts)
	return max(min((passages+texts-1)/max(texts, 1), weighedMost), 1), err
}

// bits compares the bits of all passages with the query's.
func (q *search) bits() (*bitScan, block, error) {
	scan := newScan(packBits(q.query))
	var all block
	err := eachBlock(q.Tx, q.space, len(q.query), func(b block) error {
		all.passages = append(all.passages, b.passages...)
		if q.wanted == nil {
			scan.add(b.bits, nil)
			return nil
		}
		scan.add(b.bits, func(i int) bool { return q.wanted[b.digest(i)] })
		return nil
	})
	return scan, all, err
}

// passage is a passage and its cosine.
type passage struct {
	hash  digest
	score float64
}

// weigh compares the query with the numbers of the passages at the places, and returns the k
// nearest of the contents that have them.
func (q *search) weigh(all *block, places []int, k int) ([]embed.Near, error) {
	hashes := make([]string, len(places))
	for i, at := range places {
		hashes[i] = all.digest(at).String()
	}
	near := make([]passage, 0, len(places))
	err := q.Each(`SELECT passage, scale, numbers FROM vectors WHERE s = ? AND passage IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{q.space, sqlite.List(hashes)}, func(r *sqlite.Row) error {
			hash, scale, numbers := digest(r.Blob()), r.Float(), r.Blob()
			if len(numbers) != len(q.query) {
				return sqlite.ErrDamaged
			}
			near = append(near, passage{hash, dot(q.query, float32(scale), numbers)})
			return nil
		})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(near, func(a, b passage) int { return cmp.Compare(b.score, a.score) })
	return q.contents(near, k)
}

// contents returns the k contents that have the first of the passages, the best first. Equal
// ones are in the order of their hashes.
func (q *search) contents(near []passage, k int) ([]embed.Near, error) {
	best := make(map[string]embed.Near, k)
	for some := range slices.Chunk(near, 2*k) {
		if err := q.holding(some, best); err != nil {
			return nil, err
		}
		if len(best) >= k {
			break
		}
	}
	all := make([]embed.Near, 0, len(best))
	for _, n := range best {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b embed.Near) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Content, b.Content))
	})
	return all[:min(k, len(all))], nil
}

// holding adds the contents that have one of the passages, each with its best.
func (q *search) holding(some []passage, best map[string]embed.Near) error {
	hashes, score := make([]string, len(some)), make(map[digest]float64, len(some))
	for i, p := range some {
		hashes[i], score[p.hash] = p.hash.String(), p.score
	}
	return q.Each(`SELECT passage, content, part FROM parts WHERE s = ? AND passage IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{q.space, sqlite.List(hashes)}, func(r *sqlite.Row) error {
			passage := digest(r.Blob())
			n := embed.Near{Content: string(r.Hash()), Part: r.Int(), Score: score[passage]}
			if q.only != nil && !q.only[n.Content] {
				return nil
			}
			was, there := best[n.Content]
			if !there || cmp.Or(cmp.Compare(n.Score, was.Score), was.Part-n.Part) > 0 {
				best[n.Content] = n
			}
			return nil
		})
}

// among bounds the search to the passages of some contents; nil is no bound.
func (q *search) among(only map[string]bool) error {
	if only == nil {
		return nil
	}
	q.only, q.wanted = only, make(map[digest]bool, len(only))
	return q.Each(`SELECT passages FROM texts WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{q.space, sqlite.List(slices.Collect(maps.Keys(only)))}, func(r *sqlite.Row) error {
			for b := r.Blob(); len(b) >= len(digest{}); b = b[len(digest{}):] {
				q.wanted[digest(b)] = true
			}
			return nil
		})
}
