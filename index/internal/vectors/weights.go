package vectors

import (
	"context"
	_ "embed"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

//go:embed weights.sql
var weights string

// Weight returns the weight that was measured for a space. It implements [embed.Weights].
func (v *DB) Weight(ctx context.Context, s embed.Space) (w embed.Weight, found bool, err error) {
	err = v.view(ctx, func(t *sqlite.Tx) error {
		var tables int
		if err := t.One(`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'weights'`, nil, &tables); err != nil || tables == 0 {
			return err
		}
		found, err = t.Maybe(`SELECT w.weight, w.questions FROM weights w JOIN spaces s USING (s) WHERE s.model = ? AND s.dimension = ? AND s.scheme = ?`,
			[]any{s.Model, s.Dimension, s.Scheme}, &w.Weight, &w.Questions)
		return err
	})
	return w, found, err
}

// SetWeight keeps a weight in place of an earlier one, also where the space has no vectors yet.
func (v *DB) SetWeight(ctx context.Context, s embed.Space, w embed.Weight) error {
	return v.inWriteTx(ctx, func(t *sqlite.Tx) error {
		t.Exec(`INSERT INTO spaces (model, dimension, scheme) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, s.Model, s.Dimension, s.Scheme)
		n, _, err := numberOf(t, s)
		if err != nil {
			return err
		}
		t.Exec(weights)
		t.Exec(`INSERT INTO weights (s, weight, questions) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET weight = excluded.weight, questions = excluded.questions`, n, w.Weight, w.Questions)
		return nil
	})
}
