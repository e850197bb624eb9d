package vectors

import (
	"context"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

// Spaces lists the spaces there are vectors of, the newest first.
func (v *DB) Spaces(ctx context.Context) (all []embed.Stored, err error) {
	err = v.viewAnyVersion(ctx, func(t *sqlite.Tx) error {
		is, err := versionOf(t)
		if err != nil {
			return err
		}
		query := `SELECT s.model, s.dimension, s.scheme, s.texts, sum(length(b.passages)) / 16 FROM spaces s JOIN blocks b ON b.s = s.s
			GROUP BY s.s ORDER BY s.s DESC`
		if is == old {
			query = `SELECT s.model, s.dimension, s.scheme, 0, sum(length(c.contents)) / 16 FROM spaces s JOIN chunks c ON c.s = s.s
				GROUP BY s.s ORDER BY s.s DESC`
		}
		all, err = sqlite.All(t, query, nil, func(r *sqlite.Row) embed.Stored {
			s := embed.Stored{Old: is == old}
			r.Scan(&s.Model, &s.Dimension, &s.Scheme, &s.Texts, &s.Passages)
			return s
		})
		return err
	})
	return all, err
}

// numberOf returns the number of a space. found is false if there is none.
func numberOf(t *sqlite.Tx, s embed.Space) (n int64, found bool, err error) {
	found, err = t.Maybe(`SELECT s FROM spaces WHERE model = ? AND dimension = ? AND scheme = ?`, []any{s.Model, s.Dimension, s.Scheme}, &n)
	return n, found, err
}

// numbered is a space by its number.
type numbered struct {
	number    int64
	dimension int
}

// spacesIn lists all spaces, also those without vectors.
func spacesIn(t *sqlite.Tx) ([]numbered, error) {
	return sqlite.All(t, `SELECT s, dimension FROM spaces`, nil, func(r *sqlite.Row) numbered { return numbered{r.Int64(), r.Int()} })
}
