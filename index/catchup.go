package index

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// looksAgain bounds how often a catch-up starts over because another process
// wrote meanwhile; then it looks with the write lock held.
const looksAgain = 3

// CatchUp brings the rows in scope up to date with the disk and with HEAD. A mirror that
// was never filled is filled as a whole. If nothing has changed it takes no lock and
// writes nothing.
func (d *DB) CatchUp(ctx context.Context, src vault.Source, scope vault.Scope) (vault.Report, error) {
	if scope.None {
		return vault.Report{Complete: true}, nil
	}
	d.remember(src)
	scan := scan{scope: scope, live: d.live(ctx, scope)}
	var report vault.Report
	err := d.rebuilding(ctx, func(p *pool) (err error) {
		report, err = d.catchUp(ctx, p, src, scan)
		return err
	})
	return report, err
}

// scan says what a catch-up looks at: the scope, or only HEAD if the rows cover live.
type scan struct {
	scope vault.Scope
	live  *vault.Generation
}

// live asks who watches the files, before the rows are looked at. It asks nobody about a
// scope that names its files: a watcher itself catches up in this way.
func (d *DB) live(ctx context.Context, scope vault.Scope) *vault.Generation {
	if d.opt.Live == nil || scope.Still || len(scope.Paths) > 0 {
		return nil
	}
	generation, ok := d.opt.Live.Current(ctx)
	if !ok {
		return nil
	}
	return &generation
}

// scopeFor returns the scope for rows that are in state s.
func (c scan) scopeFor(s state) vault.Scope {
	switch {
	case !s.filled:
		return vault.Scope{}
	case c.live != nil && s.stamp().Covers(*c.live):
		return vault.Scope{Still: true}
	}
	return c.scope
}

func (d *DB) catchUp(ctx context.Context, p *pool, src vault.Source, scan scan) (vault.Report, error) {
	var w *work
	for range looksAgain {
		err := p.view(ctx, func(t *tx) (err error) {
			w, err = d.planWork(t, src, scan)
			return err
		})
		if err == nil && !w.state.filled {
			err = d.build(ctx, p, src, w)
			return w.reportOrEmpty(), err
		}
		if err == nil && w.empty() {
			w.refresh(ctx, p)
		}
		if err != nil || w.empty() {
			return w.reportOrEmpty(), err
		}
		if current, err := w.applyIfCurrent(ctx, p, src); err != nil || current {
			return w.reportOrEmpty(), err
		}
	}
	err := p.update(ctx, func(t *tx) (err error) {
		if w, err = d.planWork(t, src, scan); err != nil || w.empty() {
			return err
		}
		return w.apply(t, src)
	})
	return w.reportOrEmpty(), err
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

// planWork finds what is to be done, the telemetry's news included where there is
// something to write: who wants the counts asks for them (refreshReads).
func (d *DB) planWork(t *tx, src vault.Source, scan scan) (*work, error) {
	state, err := loadState(t)
	if err != nil {
		return nil, err
	}
	var w *work
	for range looksAgain { // a write may begin or end while we look, and be seen by half
		before, live := src.Writes()
		if w, err = findWork(t, src, d.opt.Folders, state, scan.scopeFor(state), live); err != nil {
			break
		}
		if after, _ := src.Writes(); after == before {
			break
		}
	}
	if err == nil {
		w.leaves = d.opt.Leaves
	}
	if err == nil && (w.hasFileChanges() || !w.state.filled) {
		w.usage = d.opt.Usage.News(t.Context, w.state.usage)
	}
	return w, err
}

func (w *work) reportOrEmpty() vault.Report {
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
