package record

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// dates knows when memories were changed last.
type dates struct {
	s     Store
	typed map[vault.Path]bool // files with edits that are in no commit
}

func (s Store) dates(ctx context.Context) (dates, error) {
	d := dates{s: s, typed: make(map[vault.Path]bool)}
	drift, err := s.Vault.Mirror.Drift(ctx)
	for _, f := range drift {
		d.typed[f.Path] = true
	}
	return d, err
}

// timeOfChange returns the time of the last commit that changed a memory, or of its file while that has
// edits which are in no commit. made is that of a memory without either.
func (d dates) timeOfChange(ctx context.Context, p vault.Path, made time.Time) (time.Time, error) {
	if d.typed[p] {
		_, stat, err := d.s.Vault.Store.Read(p)
		return time.Unix(0, stat.MTime).UTC(), err
	}
	rows, err := d.s.History.Log(ctx, past.Log{Ref: string(p), Limit: 1})
	if err != nil || len(rows) == 0 {
		return made, err
	}
	return rows[0].Time, nil
}
