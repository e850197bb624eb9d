package index

import (
	"context"
)

// usageNews is the telemetry that the table reads does not repeat yet.
type usageNews struct {
	seq, epoch int64
	all        bool // counts were taken away: begin anew
	rows       []usageRow
}

type usageRow struct {
	id    string
	count int64
	last  string
}

// news returns what changed since the mirror repeated the telemetry, or nil.
// When it cannot be read there are no news: counts are worth no failed command.
func (u *Usage) news(ctx context.Context, s state) *usageNews {
	if u.open() == nil {
		return nil
	}
	var n usageNews
	if err := u.each(ctx, `SELECT seq, epoch FROM state`, nil, func(scan scanner) error { return scan(&n.seq, &n.epoch) }); err != nil {
		return nil
	}
	if n.seq == s.usageSeq && n.epoch == s.usageEpoch {
		return nil
	}
	since := s.usageSeq
	// A smaller number is another file: the telemetry was begun anew.
	if n.all = n.epoch != s.usageEpoch || n.seq < since; n.all {
		since = 0
	}
	err := u.each(ctx, counted(`SELECT id FROM reads WHERE seq > ?1 UNION SELECT id FROM team WHERE seq > ?1`), []any{since}, func(scan scanner) error {
		var r usageRow
		err := scan(&r.id, &r.count, &r.last)
		n.rows = append(n.rows, r)
		return err
	})
	if err != nil {
		return nil
	}
	return &n
}

// store repeats the news in the table reads.
func (n *usageNews) store(t *tx) error {
	if n == nil {
		return nil
	}
	if n.all {
		if err := t.exec(`DELETE FROM reads`); err != nil {
			return err
		}
	}
	for _, r := range n.rows {
		if err := t.exec(`INSERT OR REPLACE INTO reads (id, count, last) VALUES (?, ?, ?)`, r.id, r.count, r.last); err != nil {
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
		var s state
		err := p.view(ctx, func(t *tx) (err error) {
			s, err = loadState(t)
			return err
		})
		if err != nil || d.opt.Usage.news(ctx, s) == nil {
			return err
		}
		return p.update(ctx, func(t *tx) error {
			if s, err = loadState(t); err != nil {
				return err
			}
			n := d.opt.Usage.news(ctx, s)
			if n == nil {
				return nil
			}
			s.usageSeq, s.usageEpoch = n.seq, n.epoch
			if err := n.store(t); err != nil {
				return err
			}
			return s.save(t)
		})
	})
}
