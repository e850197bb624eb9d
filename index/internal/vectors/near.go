package vectors

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

// scanned is the number of numbers up to which those of all passages are weighed, which takes
// about 20 ms. Beyond it the bits say which are.
const scanned = 24_000_000

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
		q := search{Tx: t, space: n, query: query, most: v.scanned, warm: &v.warm}
		if err := q.among(only); err != nil {
			return err
		}
		best, err = q.nearestContents(k)
		return err
	})
	return best, err
}

// search is one search under way.
type search struct {
	*sqlite.Tx
	space  int64
	query  []float32
	most   int             // numbers up to which all are weighed
	warm   *atomic.Bool    // DB.warm
	only   map[string]bool // the contents that count; nil means all
	wanted map[digest]bool // their passages; nil means all
}

// nearestContents returns the k nearest contents.
func (q *search) nearestContents(k int) ([]embed.Near, error) {
	is, err := versionOf(q.Tx)
	if err != nil {
		return nil, err
	}
	count, err := q.countPassages()
	if err != nil {
		return nil, err
	}
	if is == version && count*len(q.query) <= q.most {
		return q.more(2*k, k, q.weighPassages)
	}
	by, err := q.bits(count)
	if err != nil {
		return nil, err
	}
	each, err := q.passagesPerText(count)
	if err != nil {
		return nil, err
	}
	weigh := q.weigh
	if is == single {
		weigh = q.weighSingles
	}
	return q.more(each*max(weighed*k, weighedLeast), k, func(most int) ([]passage, error) { return weigh(by, by.best(most)) })
}

// more returns the k nearest contents of the passages that find gives, at most so many. Long texts
// may have taken all their places: then more are asked for.
func (q *search) more(most, k int, find func(most int) ([]passage, error)) ([]embed.Near, error) {
	for ; ; most *= 4 {
		near, err := find(most)
		if err != nil {
			return nil, err
		}
		best, err := q.contents(near, k)
		if err != nil || len(best) == k || len(near) < most {
			return best, err
		}
	}
}

// countPassages returns how many passages have vectors.
func (q *search) countPassages() (int, error) {
	var last, passages int
	_, err := q.Maybe(`SELECT block, length(passages) / 16 FROM blocks WHERE s = ? ORDER BY block DESC LIMIT 1`, []any{q.space}, &last, &passages)
	return last*blockSize + passages, err
}

// passagesPerText returns how many passages a text has, rounded up.
func (q *search) passagesPerText(passages int) (int, error) {
	var texts int
	err := q.One(`SELECT texts FROM spaces WHERE s = ?`, []any{q.space}, &texts)
	return max(min((passages+texts-1)/max(texts, 1), weighedMost), 1), err
}

// coarse is a search by bits, with the blocks it looked at.
type coarse struct {
	*bitScan
	blocks []block
}

// digest returns the passage at a place.
func (c *coarse) digest(at int) digest { return c.blocks[at/blockSize].digest(at % blockSize) }

// bits compares the bits of all passages, about so many, with the query's.
func (q *search) bits(count int) (*coarse, error) {
	c := &coarse{bitScan: newScan(packBits(q.query), count)}
	err := eachBlock(q.Tx, q.space, len(q.query), func(b block) error {
		c.blocks = append(c.blocks, block{passages: b.passages})
		if q.wanted == nil {
			c.scanBlock(b.bits, nil)
			return nil
		}
		c.scanBlock(b.bits, func(i int) bool { return q.wanted[b.digest(i)] })
		return nil
	})
	return c, err
}

// passage is a passage and its cosine.
type passage struct {
	hash  digest
	score float64
}

// nearer orders passages, the nearest first. Equal ones are in the order of their hashes, so that
// it does not matter in which file they lie.
func nearer(a, b passage) int {
	return cmp.Or(cmp.Compare(b.score, a.score), bytes.Compare(a.hash[:], b.hash[:]))
}

// contents returns the k contents that have the first of the passages, the best first. Equal
// ones are in the order of their hashes.
func (q *search) contents(near []passage, k int) ([]embed.Near, error) {
	best := make(map[string]embed.Near, k)
	for some := range slices.Chunk(near, k+k/4+1) {
		if err := q.addContents(some, best); err != nil {
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

// addContents adds the contents that have one of the passages, each with its best.
func (q *search) addContents(some []passage, best map[string]embed.Near) error {
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
