package index

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// looksAgain bounds how often a catch-up starts over because another process
// wrote meanwhile; then it looks with the write lock held.
const looksAgain = 3

// CatchUp brings the rows in scope up to date with the disk and with HEAD. A
// mirror that was never filled is filled whatever the scope. When nothing has
// changed, nothing is locked and nothing written.
func (d *DB) CatchUp(ctx context.Context, src vault.Source, scope vault.Scope) (vault.Report, error) {
	if scope.None {
		return vault.Report{Complete: true}, nil
	}
	d.remember(src)
	var report vault.Report
	err := d.heal(ctx, func(p *pool) (err error) {
		report, err = d.catchUp(ctx, p, src, scope)
		return err
	})
	return report, err
}

func (d *DB) catchUp(ctx context.Context, p *pool, src vault.Source, scope vault.Scope) (vault.Report, error) {
	var w *work
	for range looksAgain {
		err := p.view(ctx, func(t *tx) (err error) {
			w, err = d.look(t, src, scope)
			return err
		})
		if err != nil || w.empty() {
			return w.told(), err
		}
		if current, err := w.applyIfCurrent(ctx, p, src); err != nil || current {
			return w.told(), err
		}
	}
	err := p.update(ctx, func(t *tx) (err error) {
		if w, err = d.look(t, src, scope); err != nil || w.empty() {
			return err
		}
		return w.apply(t, src)
	})
	return w.told(), err
}

// applyIfCurrent applies the work, unless somebody has written since it was
// found; it reports whether it did.
func (w *work) applyIfCurrent(ctx context.Context, p *pool, src vault.Source) (current bool, err error) {
	err = p.update(ctx, func(t *tx) error {
		now, err := loadState(t)
		if current = now == w.state; err != nil || !current {
			return err
		}
		return w.apply(t, src)
	})
	return current, err
}

// look finds what is to be done, the telemetry's news included.
func (d *DB) look(t *tx, src vault.Source, scope vault.Scope) (*work, error) {
	w, err := look(t, src, scope)
	if err == nil {
		w.usage = d.opt.Usage.news(t.ctx, w.state)
	}
	return w, err
}

func (w *work) told() vault.Report {
	if w == nil {
		return vault.Report{}
	}
	return w.report
}

// remember keeps the source for filling a mirror that has to be replaced.
func (d *DB) remember(src vault.Source) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.source = src
}
