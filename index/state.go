package index

import (
	"context"
	"time"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
)

// state says up to which point the rows are true.
type state struct {
	epoch      int64       // drawn when the file was made
	generation int64       // grows with every write
	head       string      // the commit that files.head describes; empty is none
	filled     bool        // the whole vault was scanned once
	leaves     string      // what the scan left out, as Options.Leaves says it
	usage      usage.State // the telemetry that reads repeats
	traced     string      // the commit that files.place describes, see DB.trace
	agreed     int64       // one more than the parents that sync found in order on these rows; 0 when it has not said so
}

// fields returns where the value of each key is kept.
func (s *state) fields() map[string]any {
	return map[string]any{"epoch": &s.epoch, "generation": &s.generation, "head": &s.head, "filled": &s.filled, "leaves": &s.leaves,
		"usage_seq": &s.usage.Seq, "usage_epoch": &s.usage.Epoch, "agreed": &s.agreed, "traced": &s.traced}
}

func loadState(t *tx) (s state, err error) {
	fields := s.fields()
	err = t.Each(`SELECT key, value FROM state`, nil, func(r *sqlite.Row) error {
		if field, ok := fields[r.Text()]; ok {
			r.Scan(field)
		}
		return nil
	})
	return s, err
}

// save stores s as the next generation.
func (s state) save(t *tx) {
	t.Exec(`INSERT OR REPLACE INTO state (key, value) VALUES
		('generation', ?), ('head', ?), ('filled', ?), ('leaves', ?), ('usage_seq', ?), ('usage_epoch', ?), ('agreed', ?)`,
		s.generation+1, s.head, s.filled, s.leaves, s.usage.Seq, s.usage.Epoch, s.agreed)
}

// stamp returns the part of the state that others are given.
func (s state) stamp() vault.Generation {
	return vault.Generation{Epoch: s.epoch, Number: s.generation}
}

// FindAgreement returns how many parents the last pass of sync compared, if it found
// nothing to do and no file and no commit has changed since.
func (d *DB) FindAgreement(ctx context.Context) (parents int, ok bool, err error) {
	s, err := askSnapshot(ctx, d, loadState)
	return int(s.agreed) - 1, err == nil && s.agreed > 0, err
}

// Generation tells the state of the rows.
func (d *DB) Generation(ctx context.Context) (vault.Generation, error) {
	s, err := askSnapshot(ctx, d, loadState)
	return s.stamp(), err
}

// ListChanged returns the memories that changed since a generation, as [query.ChangedSince] does.
func (d *DB) ListChanged(ctx context.Context, since vault.Generation, most int) ([]vault.ID, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]vault.ID, error) { return query.ChangedSince(t.Tx, since, most) })
}

// Agree remembers that sync compared so many parents and found nothing to do,
// unless the rows have changed since that generation.
func (d *DB) Agree(ctx context.Context, at vault.Generation, parents int) error {
	return d.rebuilding(ctx, func(p *pool) error {
		return p.update(ctx, func(t *tx) error {
			s, err := loadState(t)
			if s.stamp() == at {
				t.Exec(`INSERT OR REPLACE INTO state (key, value) VALUES ('agreed', ?)`, parents+1)
			}
			return err
		})
	})
}

// repeat writes the telemetry's news into the table reads, if there are any, and notes in
// s how far they go.
func (t *tx) repeat(s *state, news *usage.News) {
	if news == nil {
		return
	}
	s.usage = news.State
	if news.All {
		t.Exec(`DELETE FROM reads`)
	}
	for _, r := range news.Totals {
		t.Exec(`INSERT OR REPLACE INTO reads (id, count, last) VALUES (?, ?, ?)`, r.ID, r.Count, r.Last)
	}
}

// refreshReads brings the table reads up to date.
func (d *DB) refreshReads(ctx context.Context) error {
	return d.rebuilding(ctx, func(p *pool) error {
		if err := d.fillOnce(ctx, p); err != nil {
			return err
		}
		s, err := p.state(ctx)
		if err != nil || d.opt.Usage.News(ctx, s.usage) == nil {
			return err
		}
		return p.update(ctx, func(t *tx) error { return t.repeatNews(d.opt.Usage) })
	})
}

// repeatNews writes what the telemetry knows since the last time. No file has changed, so
// it is no new generation.
func (t *tx) repeatNews(u *usage.DB) error {
	s, err := loadState(t)
	if err != nil {
		return err
	}
	t.repeat(&s, u.News(t.Context, s.usage))
	t.Exec(`INSERT OR REPLACE INTO state (key, value) VALUES ('usage_seq', ?), ('usage_epoch', ?)`, s.usage.Seq, s.usage.Epoch)
	return t.Err()
}

// touchWait bounds how long a reader waits to repeat its reading behind other writers. The
// one who writes last repeats all.
const touchWait = 500 * time.Millisecond

// Telemetry is the clone's telemetry. The views of the mirror, if there is one, show each
// reading at once.
type Telemetry struct {
	*usage.DB
	mirror *DB
}

// Telemetry returns the telemetry that the mirror was opened with.
func (d *DB) Telemetry() Telemetry { return Telemetry{d.opt.Usage, d} }

// Touch counts the readings. It makes no mirror where there is none.
func (t Telemetry) Touch(ctx context.Context, reads []vault.Access) error {
	if err := t.DB.Touch(ctx, reads); err != nil || len(reads) == 0 {
		return err
	}
	if filled, err := t.mirror.hasRows(ctx); err != nil || !filled {
		return nil
	}
	_ = t.mirror.rebuilding(ctx, func(p *pool) error {
		_ = p.updateBriefly(ctx, touchWait, func(x *tx) error { return x.repeatNews(t.DB) })
		return nil // the next answer that counts repeats it
	})
	return nil
}
