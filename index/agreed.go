package index

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Agreed returns how many parents the last pass of sync compared, if it found
// nothing to do and no file and no commit has changed since.
func (d *DB) Agreed(ctx context.Context) (parents int, ok bool, err error) {
	s, err := ask(ctx, d, loadState)
	return int(s.agreed) - 1, err == nil && s.agreed > 0, err
}

// Stand tells the state of the rows.
func (d *DB) Stand(ctx context.Context) (vault.Stand, error) {
	s, err := ask(ctx, d, loadState)
	return s.stand(), err
}

// Agree remembers that sync compared so many parents and found nothing to do,
// unless the rows have changed since they stood at that stand.
func (d *DB) Agree(ctx context.Context, at vault.Stand, parents int) error {
	return d.heal(ctx, func(p *pool) error {
		return p.update(ctx, func(t *tx) error {
			s, err := loadState(t)
			if err != nil || s.stand() != at {
				return err
			}
			return t.Exec(`INSERT OR REPLACE INTO state (key, value) VALUES ('agreed', ?)`, parents+1)
		})
	})
}
