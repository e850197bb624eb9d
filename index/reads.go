package index

import (
	"context"

	"github.com/cp-memory/cp/index/usage"
)

// repeat writes the telemetry's news, if there are any, into the table reads, and
// into s how far it goes.
func (t *tx) repeat(s *state, news *usage.News) error {
	if news == nil {
		return nil
	}
	s.usage = news.State
	if news.All {
		if err := t.Exec(`DELETE FROM reads`); err != nil {
			return err
		}
	}
	for _, r := range news.Totals {
		if err := t.Exec(`INSERT OR REPLACE INTO reads (id, count, last) VALUES (?, ?, ?)`, r.ID, r.Count, r.Last); err != nil {
			return err
		}
	}
	return nil
}

// refreshReads brings the table reads up to date.
func (d *DB) refreshReads(ctx context.Context) error {
	return d.heal(ctx, func(p *pool) error {
		if err := d.fill(ctx, p); err != nil {
			return err
		}
		s, err := p.state(ctx)
		if err != nil || d.opt.Usage.News(ctx, s.usage) == nil {
			return err
		}
		return p.update(ctx, func(t *tx) error {
			s, err := loadState(t)
			if err != nil {
				return err
			}
			news := d.opt.Usage.News(ctx, s.usage)
			if err := t.repeat(&s, news); err != nil || news == nil {
				return err
			}
			return s.save(t)
		})
	})
}
