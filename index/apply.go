package index

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// apply writes what was found, in one transaction.
func (w *work) apply(t *tx, src vault.Source) error {
	known := newTables(t)
	wr := newWriter(t, w, known)
	for _, step := range []func() error{
		func() error { return wr.relocate(known) },
		wr.heads,
		wr.drops,
		wr.troubles,
		func() error { return wr.reads(src) },
		func() error { return wr.docs.flush(t) },
		wr.settle,
		wr.listings,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return w.conclude(t)
}

// While the terms are loaded FTS5 gathers them in 4 MB and not in one, so that
// 10,000 files end in five segments and not in forty. In still more memory they no
// longer fit the processor's cache, and gathering them takes longer.
const (
	loading = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 4194304), ('automerge', 0)`
	loaded  = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 1048576), ('automerge', 4);`
)

// fill writes all that there is into a mirror without rows, in one transaction.
// Each row is written once and in the order of its table, and the indexes are made
// last. It ends in the same rows as apply (TestHistoryEqualsRebuild).
func (w *work) fill(t *tx, src vault.Source) error {
	now, err := loadState(t)
	if err != nil || now.filled {
		return err // somebody else has done it
	}
	w.state, w.report.Stand = now, now.stand()
	known := newCatalog(w)
	wr := newWriter(t, w, known)
	wr.guess = newPlacer(known.holder)
	for _, step := range []func() error{
		func() error { return t.Exec(loading) },
		func() error { return wr.fill(known.all, src) },
		func() error { return wr.docs.flush(t) },
		wr.settle,
		func() error { return t.Exec(loaded + indexes) },
		wr.listings,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return w.conclude(t)
}

// conclude writes where the rows stand now.
func (w *work) conclude(t *tx) error {
	next := w.state
	next.head = w.head
	next.filled = next.filled || w.whole
	if w.files() {
		next.agreed = 0
	}
	if err := t.repeat(&next, w.usage); err != nil {
		return err
	}
	w.report.Rebuilt = !w.state.filled
	w.report.Stand.Generation++
	return next.save(t)
}

// heads brings files.head up to date.
func (wr *writer) heads() error {
	if wr.w.allHeads {
		if err := wr.forgetHeads(); err != nil {
			return err
		}
	}
	for _, h := range wr.w.heads {
		if err := wr.setHead(h.path, unhexed(h.blob)); err != nil {
			return err
		}
	}
	return nil
}

// forgetHeads drops the HEAD side of every file that w.heads does not list.
func (wr *writer) forgetHeads() error {
	listed := make(map[string]bool, len(wr.w.heads))
	for _, h := range wr.w.heads {
		listed[string(h.path)] = true
	}
	all, err := sqlite.All(wr.t.Tx, `SELECT path FROM files WHERE head <> x''`, nil, (*sqlite.Row).Text)
	for _, path := range all {
		if err == nil && !listed[path] {
			err = wr.setHead(vault.Path(path), "")
		}
	}
	return err
}

// drops removes the files that a complete scan did not meet.
func (wr *writer) drops() error {
	for _, p := range wr.w.gone {
		e, err := wr.known.file(p)
		if err == nil {
			err = wr.drop(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// troubles stores the entries that cannot be memories.
func (wr *writer) troubles() error {
	for _, problem := range wr.w.problems {
		e, err := wr.known.file(problem.Path)
		if err == nil {
			err = wr.trouble(e, problem)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reads reads the files to look at and stores what they say.
func (wr *writer) reads(src vault.Source) error {
	return wr.w.read(wr.t.Context, src, func(r reading) error {
		e, err := wr.known.file(r.path)
		if err != nil {
			return err
		}
		return wr.store(e, r)
	})
}

// fill reads the files and writes the rows of all entries in their order.
func (wr *writer) fill(all []entry, src vault.Source) error {
	next := 0
	upTo := func(n int) error { // those that are not read
		for ; next < n; next++ {
			if err := wr.unread(&all[next]); err != nil {
				return err
			}
		}
		return nil
	}
	err := wr.w.read(wr.t.Context, src, func(r reading) error {
		e, err := wr.known.file(r.path)
		if err == nil {
			err = upTo(int(e.n) - 1)
		}
		if err != nil {
			return err
		}
		next++
		return wr.store(e, r)
	})
	if err != nil {
		return err
	}
	return upTo(len(all))
}

// unread writes an entry whose file cannot be read.
func (wr *writer) unread(e *entry) error {
	if e.problem != nil {
		return wr.trouble(e, *e.problem)
	}
	return wr.save(e)
}
