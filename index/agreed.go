package index

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Agreed returns how many parents the last pass of sync compared, if it found
// nothing to do and no file and no commit has changed since.
func (d *DB) Agreed(ctx context.Context) (parents int, ok bool, err error) {
	var s state
	err = d.view(ctx, func(t *tx) (err error) {
		s, err = loadState(t)
		return err
	})
	return int(s.agreed) - 1, err == nil && s.agreed > 0, err
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
			return t.exec(`INSERT OR REPLACE INTO state (key, value) VALUES ('agreed', ?)`, parents+1)
		})
	})
}
