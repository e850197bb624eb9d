package vectors

import (
	_ "embed"

	"github.com/cp-memory/cp/index/sqlite"
)

// The statements that bring version 1 to version 2, but for what came with that.
//
//go:embed renew.sql
var renew string

// renewTables brings the tables of an earlier version to this one, with all vectors.
func renewTables(t *sqlite.Tx, is int) error {
	if is == old {
		t.Exec(renew + texts)
	}
	t.Exec(`ALTER TABLE vectors RENAME TO singles`)
	t.Exec(pages)
	t.Exec(`INSERT INTO vectors (s, passage) SELECT s, passage FROM singles`)
	all, err := spacesIn(t)
	for _, s := range all {
		if err != nil {
			return err
		}
		err = repack(t, s.number, s.dimension, inSingles(t, s.number, s.dimension), func(digest) bool { return true })
	}
	t.Exec(`DROP TABLE singles`)
	return t.Fail(err)
}

// inSingles returns the numbers as version 2 kept them: a row for each vector.
func inSingles(t *sqlite.Tx, space int64, dimension int) numbers {
	return func(_ int64, passage digest) (scale float32, values []byte, found bool, err error) {
		err = t.Each(`SELECT scale, numbers FROM singles WHERE s = ? AND passage = ?`, []any{space, passage[:]}, func(r *sqlite.Row) error {
			scale, values, found = float32(r.Float()), r.Blob(), true
			if len(values) != dimension {
				return sqlite.ErrDamaged
			}
			return nil
		})
		return scale, values, found, err
	}
}
