package index

import (
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
)

// apply writes what was found, in one transaction.
func (w *work) apply(t *tx, src vault.Source) error {
	known := newTables(t)
	wr := newWriter(t, w, known)
	wr.relocate(known)
	wr.heads()
	if w.head != w.state.head {
		wr.noteContested(src)
	}
	for _, p := range w.gone { // a complete scan did not meet them
		wr.dropDiskSide(known.file(p))
	}
	for _, problem := range w.problems {
		wr.trouble(known.file(problem.Path), problem)
	}
	w.words = make(map[vault.Path]int64, len(w.looks))
	for _, p := range w.looks {
		w.words[p] = known.file(p).words
	}
	err := w.readPending(t.Context, src, func(r reading) error {
		wr.store(known.file(r.path), r)
		return t.Err()
	})
	if err != nil {
		return err
	}
	wr.docs.Flush(t.Tx)
	wr.updateDerived(src)
	wr.anchors.Settle(t.Tx)
	wr.listings()
	w.facts.Apply(t.Tx, src.Files, wr.ids)
	return w.conclude(t)
}

// While the terms are loaded FTS5 gathers them in 16 MB and not in one, so that
// 50,000 entries of the journal end in two segments and not in thirty. Each term that is
// looked for costs a page or two of each segment.
const (
	loading = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 16777216), ('automerge', 0)`
	loaded  = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 1048576), ('automerge', 4);`
)

// fillMirror writes all that there is into a mirror without rows, in one transaction.
// Each row is written once and in the order of its table, and the indexes are made
// last. It ends in the same rows as apply (TestHistoryEqualsRebuild).
func (w *work) fillMirror(t *tx, src vault.Source) error {
	now, err := loadState(t)
	if err != nil || now.filled {
		return err // somebody else has done it
	}
	w.state, w.report.Generation = now, now.stamp()
	known := newCatalog(w)
	wr := newWriter(t, w, known)
	wr.guess = newPlacer(known.folderMemory)
	wr.t.Exec(loading)
	if err := wr.fillRows(known, src); err != nil {
		return err
	}
	wr.docs.Flush(t.Tx)
	wr.updateDerived(src)
	w.facts.Fill(t.Tx, src.Files)
	wr.t.Exec(loaded + indexes())
	query.FillAnchors(t.Tx)
	wr.listings()
	return w.conclude(t)
}

// conclude writes where the rows stand now.
func (w *work) conclude(t *tx) error {
	next := w.state
	next.head = w.head
	if w.whole {
		next.filled, next.leaves = true, w.leaves
	}
	if w.hasFileChanges() {
		next.agreed = 0
	}
	t.repeat(&next, w.usage)
	next.save(t)
	w.report.Rebuilt = !w.state.filled
	w.report.Generation.Number++
	return t.Err()
}

// heads brings files.head up to date.
func (wr *writer) heads() {
	if wr.w.allHeads {
		wr.forgetHeads()
	}
	for _, h := range wr.w.heads {
		wr.setHead(h.path, decodeHash(h.blob))
	}
}

// noteContested notes the ids that several memories claim and whose order in the history may be
// another one now: new commits brought one of the files, or it is another history.
func (wr *writer) noteContested(src vault.Source) {
	claims := wr.strings(`SELECT DISTINCT claim FROM memories WHERE claim > ''`)
	if len(claims) == 0 || src.Commits == nil {
		return
	}
	arrived := make(map[vault.Path]bool)
	follows, err := src.Arrivals(wr.t.Context, wr.w.state.head, wr.w.head, func(a vault.Arrival) bool {
		arrived[a.Path] = true
		return true
	})
	for id := range claims {
		came := func(e *entry) bool { return arrived[e.path] }
		if err != nil || !follows || slices.ContainsFunc(wr.known.claimants(id), came) {
			wr.claims[id] = true
		}
	}
}

// forgetHeads drops the HEAD side of every file that w.heads does not list.
func (wr *writer) forgetHeads() {
	listed := make(map[vault.Path]bool, len(wr.w.heads))
	for _, h := range wr.w.heads {
		listed[h.path] = true
	}
	for path := range wr.strings(`SELECT path FROM files WHERE head <> x''`) {
		if !listed[vault.Path(path)] {
			wr.setHead(vault.Path(path), "")
		}
	}
}

// fillRows reads the files and writes the rows of all entries in their order.
func (wr *writer) fillRows(known *catalog, src vault.Source) error {
	next := 0
	upTo := func(n int) { // those of which there is nothing to read
		for ; next < n; next++ {
			if e := &known.all[next]; e.problem != nil {
				wr.trouble(e, *e.problem)
			} else {
				wr.save(e)
			}
		}
	}
	err := wr.w.readPending(wr.t.Context, src, func(r reading) error {
		e := known.file(r.path)
		upTo(int(e.n) - 1)
		next++
		wr.store(e, r)
		return wr.t.Err()
	})
	upTo(len(known.all))
	return err
}
