package index

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"

	"github.com/cp-memory/cp/index/vectors"
	"github.com/cp-memory/cp/vault/embed"
)

// weighed is how many of the vectors with the nearest bits are weighed by their
// numbers, for each answer wanted and at least. It is a choice: more cost a
// little, since the bits of all vectors are looked at anyhow.
const (
	weighed      = 8
	weighedLeast = 400
)

// Nearest returns the k contents nearest to the query, the best first; of those
// in only, where that is not nil.
func (v *Vectors) Nearest(ctx context.Context, s embed.Space, query []float32, k int, only map[string]bool) ([]embed.Near, error) {
	var best []embed.Near
	err := v.view(ctx, func(t *tx) error {
		n, err := t.spaceOf(s)
		if err != nil {
			return none(err)
		}
		near, err := t.nearBits(n, vectors.Bits(query), max(weighed*k, weighedLeast), only)
		if err != nil {
			return err
		}
		best, err = t.weigh(n, near, query)
		return err
	})
	slices.SortFunc(best, func(a, b embed.Near) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Content, b.Content))
	})
	return best[:min(k, len(best))], err
}

// nearBits returns the contents whose bits differ least from the query's.
func (t *tx) nearBits(space int64, query []byte, k int, only map[string]bool) ([]string, error) {
	wanted, err := digests(only)
	if err != nil {
		return nil, err
	}
	scan := vectors.NewScan(query)
	var contents []byte
	err = t.eachChunk(space, len(query)*8, func(c chunk) error {
		contents = append(contents, c.contents...)
		if only == nil {
			scan.Add(c.bits, nil)
			return nil
		}
		scan.Add(c.bits, func(i int) bool { return wanted[c.digest(i)] })
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := chunk{contents: contents}
	var near []string
	for _, i := range scan.Best(k) {
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
func (t *tx) weigh(space int64, contents []string, query []float32) ([]embed.Near, error) {
	all := make([]embed.Near, 0, len(contents))
	err := t.each(`SELECT content, scale, numbers FROM vectors WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{space, list(contents)}, func(scan scanner) error {
			var content, numbers []byte
			var scale float64
			if err := scan(&content, &scale, &numbers); err != nil {
				return err
			}
			if len(numbers) != len(query) {
				return errDamaged
			}
			all = append(all, embed.Near{Content: hex.EncodeToString(content), Score: vectors.Dot(query, float32(scale), numbers)})
			return nil
		})
	return all, err
}
