package index

import (
	"context"
	"maps"

	"github.com/cp-memory/cp/index/internal/graph"
	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
)

// ApplyReceipt brings the rows of a receipt's paths up to date without a scan. HEAD's
// side follows where the rows stood at the commit before; else, and where
// anything fails, the next CatchUp brings it.
func (d *DB) ApplyReceipt(ctx context.Context, src vault.Source, r vault.Receipt) error {
	d.remember(src)
	return d.rebuilding(ctx, func(p *pool) error {
		many, err := p.isRebuildCheaper(ctx, len(r.Paths))
		switch {
		case err != nil:
			return err
		case many:
			return d.anew(ctx, p, src)
		}
		return p.update(ctx, func(t *tx) error {
			w := &work{facts: new(graph.FactFiles)}
			var err error
			if w.state, err = loadState(t); err != nil || !w.state.filled {
				return err
			}
			if err := w.receive(t, src, r); err != nil {
				return err
			}
			return w.apply(t, src)
		})
	})
}

// A file more in a mirror that is in use costs two in one that is made from
// nothing, which needs no log and sorts before it writes. So what brings in more
// than there is, and more than a few, has the mirror made again.
const (
	fewFiles = 1000
	dearer   = 2
)

// isRebuildCheaper reports whether that many files are better read with all others.
func (p *pool) isRebuildCheaper(ctx context.Context, files int) (many bool, err error) {
	if p.private != nil || files < fewFiles {
		return false, nil
	}
	var rows int
	err = p.view(ctx, func(t *tx) error {
		return t.One(`SELECT count(*) FROM (SELECT 1 FROM files LIMIT +?)`, []any{files}, &rows)
	})
	return dearer*rows < files, err
}

// anew makes the mirror again.
func (d *DB) anew(ctx context.Context, p *pool, src vault.Source) error {
	w := &work{whole: true, usage: d.opt.Usage.News(ctx, usage.State{})}
	if err := w.lookAtHead(ctx, src); err != nil {
		return err
	}
	var err error
	if w.facts, err = graph.AllFactFiles(ctx, src.Files); err != nil {
		return err
	}
	if err := w.compareDisk(ctx, src, vault.Scope{}); err != nil {
		return err
	}
	return d.build(ctx, p, src, w)
}

// receive makes the work of a receipt.
func (w *work) receive(t *tx, src vault.Source, r vault.Receipt) error {
	w.head, w.moved = w.state.head, r.Moved
	if r.Before == w.state.head && r.Commit != "" {
		w.head = r.Commit
		if err := w.changes(t.Context, src, r.Before); err != nil {
			return err
		}
	}
	w.known = make(map[string]knownFile)
	gone := make(map[vault.Path]bool, len(r.Gone))
	for _, path := range r.Gone {
		gone[path] = true
	}
	for _, path := range r.Paths {
		var err error
		switch {
		case path.IsFacts():
			w.facts.Receive(path, gone[path])
		case gone[path] && path.IsNote():
			w.gone = append(w.gone, path)
		case path.IsNote():
			w.looks = append(w.looks, path)
			err = loadKnown(t, w.known, knownRows+` AND path = ?`, path)
		default:
			err = w.receiveFolder(t, src, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// receiveFolder scans a folder that a receipt names.
func (w *work) receiveFolder(t *tx, src vault.Source, dir vault.Path) error {
	scope := vault.Scope{Dir: dir}
	sub := &work{}
	var err error
	if sub.known, err = knownFiles(t, scope); err != nil {
		return err
	}
	if err := sub.compareDisk(t.Context, src, scope); err != nil {
		return err
	}
	maps.Copy(w.known, sub.known)
	w.looks, w.gone, w.problems = append(w.looks, sub.looks...), append(w.gone, sub.gone...), append(w.problems, sub.problems...)
	return nil
}
