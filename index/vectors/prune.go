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
		spaces, err := spacesIn(t)
		for _, s := range spaces {
			if err != nil {
				return err
			}
			var n int
			n, err = prune(t, s.number, s.dimension, keep)
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

// sweep drops the vectors that are not held and packs the others anew.
func sweep(t *sqlite.Tx, space int64, dimension int, held map[string]bool) (int, error) {
	var gone []string
	err := eachBlock(t, space, dimension, func(b block) error {
		for i := range b.len() {
			if name := b.digest(i).String(); !held[name] {
				gone = append(gone, name)
			}
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	t.Exec(`DELETE FROM vectors WHERE s = ? AND passage IN (SELECT unhex(value) FROM json_each(?))`, space, sqlite.List(gone))
	err = repack(t, space, dimension, inPages(t, space, dimension), func(passage digest) bool { return held[passage.String()] })
	return len(gone), err
}
