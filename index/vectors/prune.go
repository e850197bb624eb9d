package vectors

import (
	"context"

	"github.com/cp-memory/cp/index/sqlite"
)

// Prune drops, in every space, the contents that are not in keep and the vectors that no
// content has. It returns the number of vectors. One that may be that of a whole memory in keep
// stays as long as that memory's passages are not noted.
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

// prune drops contents and vectors of one space.
func prune(t *sqlite.Tx, space int64, dimension int, keep map[string]bool) (int, error) {
	held, gone := make(map[string]bool), []string{}
	for content := range keep {
		held[content] = true
	}
	err := t.Each(`SELECT content FROM texts WHERE s = ?`, []any{space}, func(r *sqlite.Row) error {
		content := string(r.Hash())
		if delete(held, content); !keep[content] {
			gone = append(gone, content)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	t.Exec(`DELETE FROM texts WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`, space, sqlite.List(gone))
	t.Exec(`DELETE FROM parts WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`, space, sqlite.List(gone))
	if err := count(t, space); err != nil {
		return 0, err
	}
	err = t.Each(`SELECT DISTINCT passage FROM parts WHERE s = ?`, []any{space}, func(r *sqlite.Row) error {
		held[string(r.Hash())] = true
		return nil
	})
	if err != nil {
		return 0, err
	}
	return sweep(t, space, dimension, held)
}

// sweep drops the vectors that are not held and packs the blocks anew.
func sweep(t *sqlite.Tx, space int64, dimension int, held map[string]bool) (int, error) {
	var gone []string
	kept := []block{{}}
	wide := width(dimension)
	err := eachBlock(t, space, dimension, func(b block) error {
		for i := range b.len() {
			name := b.digest(i)
			if !held[name.String()] {
				gone = append(gone, name.String())
				continue
			}
			last := &kept[len(kept)-1]
			if last.len() == blockSize {
				kept = append(kept, block{number: last.number + 1})
				last = &kept[len(kept)-1]
			}
			last.passages = append(last.passages, name[:]...)
			last.bits = append(last.bits, b.bits[i*wide:(i+1)*wide]...)
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	t.Exec(`DELETE FROM vectors WHERE s = ? AND passage IN (SELECT unhex(value) FROM json_each(?))`, space, sqlite.List(gone))
	t.Exec(`DELETE FROM blocks WHERE s = ?`, space)
	for _, b := range kept {
		putBlock(t, space, b)
	}
	return len(gone), nil
}
