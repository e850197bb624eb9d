package vectors

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

// weighed is how many of the vectors with the nearest bits are weighed by their
// numbers, for each answer wanted and at least. It is a choice: more cost a
// little, since the bits of all vectors are looked at anyhow.
const (
	weighed      = 8
	weighedLeast = 400
)

// Nearest returns the k contents nearest to the query, the best first. Unless only is nil,
// it looks among the contents in only.
func (v *DB) Nearest(ctx context.Context, s embed.Space, query []float32, k int, only map[string]bool) ([]embed.Near, error) {
	var best []embed.Near
	err := v.view(ctx, func(t *sqlite.Tx) error {
		n, found, err := numberOf(t, s)
		if err != nil || !found {
			return err
		}
		near, err := nearBits(t, n, packBits(query), max(weighed*k, weighedLeast), only)
		if err != nil {
			return err
		}
		best, err = weigh(t, n, near, query)
		return err
	})
	slices.SortFunc(best, func(a, b embed.Near) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Content, b.Content))
	})
	return best[:min(k, len(best))], err
}

// nearBits returns the contents whose bits differ least from the query's.
func nearBits(t *sqlite.Tx, space int64, query []byte, k int, only map[string]bool) ([]string, error) {
	wanted, err := digests(only)
	if err != nil {
		return nil, err
	}
	scan := newScan(query)
	var contents []byte
	err = eachChunk(t, space, len(query)*8, func(c chunk) error {
		contents = append(contents, c.contents...)
		if only == nil {
			scan.add(c.bits, nil)
			return nil
		}
		scan.add(c.bits, func(i int) bool { return wanted[c.digest(i)] })
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := chunk{contents: contents}
	var near []string
	for _, i := range scan.best(k) {
		near = append(near, all.digest(i).String())
	}
	return near, nil
}

func digests(contents map[string]bool) (map[digest]bool, error) {
	all := make(map[digest]bool, len(contents))
	for c := range contents {
		n, err := digestOf(c)
		if err != nil {
			return nil, err
		}
		all[n] = true
	}
	return all, nil
}

// weigh compares the query with the numbers of the contents' vectors.
func weigh(t *sqlite.Tx, space int64, contents []string, query []float32) ([]embed.Near, error) {
	all := make([]embed.Near, 0, len(contents))
	err := t.Each(`SELECT content, scale, numbers FROM vectors WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{space, sqlite.List(contents)}, func(r *sqlite.Row) error {
			content, scale, numbers := r.Hash(), r.Float(), r.Blob()
			if len(numbers) != len(query) {
				return sqlite.ErrDamaged
			}
			all = append(all, embed.Near{Content: string(content), Score: dot(query, float32(scale), numbers)})
			return nil
		})
	return all, err
}
