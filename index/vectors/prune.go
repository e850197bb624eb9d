package vectors

import (
	"context"

	"github.com/cp-memory/cp/index/sqlite"
)

// Prune drops, in every space, the vectors of contents that are not in keep,
// and returns how many.
func (v *DB) Prune(ctx context.Context, keep map[string]bool) (int, error) {
	dropped := 0
	if all, err := v.Spaces(ctx); err != nil || len(all) == 0 {
		return 0, err
	}
	err := v.update(ctx, func(t *sqlite.Tx) error {
		spaces, err := sqlite.All(t, `SELECT s, dimension FROM spaces`, nil, func(r *sqlite.Row) [2]int64 { return [2]int64{r.Int64(), r.Int64()} })
		for _, s := range spaces {
			if err != nil {
				return err
			}
			var n int
			n, err = prune(t, s[0], int(s[1]), keep)
			dropped += n
		}
		return err
	})
	return dropped, err
}

// prune drops vectors of one space and packs the chunks anew.
func prune(t *sqlite.Tx, space int64, dimension int, keep map[string]bool) (int, error) {
	var gone []string
	kept := []chunk{{}}
	wide := width(dimension)
	err := eachChunk(t, space, dimension, func(c chunk) error {
		for i := range c.len() {
			name := c.digest(i)
			if !keep[name.String()] {
				gone = append(gone, name.String())
				continue
			}
			last := &kept[len(kept)-1]
			if last.len() == chunkSize {
				kept = append(kept, chunk{number: last.number + 1})
				last = &kept[len(kept)-1]
			}
			last.contents = append(last.contents, name[:]...)
			last.bits = append(last.bits, c.bits[i*wide:(i+1)*wide]...)
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	t.Exec(`DELETE FROM vectors WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`, space, sqlite.List(gone))
	t.Exec(`DELETE FROM chunks WHERE s = ?`, space)
	for _, c := range kept {
		putChunk(t, space, c)
	}
	return len(gone), nil
}
