package index

import (
	"github.com/cp-memory/cp/vault"
)

// apply writes what was found, in one transaction: first what HEAD and each
// file say by themselves, then what follows from them together.
func (w *work) apply(t *tx, src vault.Source) error {
	a := newApplier(t, w)
	steps := []func() error{
		a.relocate,
		a.heads,
		a.drops,
		a.troubles,
		func() error { return a.reads(src) },
		func() error { return a.docs.flush(t) },
		a.settle,
		a.listings,
	}
	for _, step := range steps {
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
	if w.usage != nil {
		next.usageSeq, next.usageEpoch = w.usage.seq, w.usage.epoch
	}
	if err := w.usage.store(t); err != nil {
		return err
	}
	w.report.Rebuilt = !w.state.filled
	w.report.Stand.Generation++
	return next.save(t)
}

// applier writes one catch-up. It collects what the changes of single files
// may mean for others, and settles that at the end.
type applier struct {
	t *tx
	w *work

	claims  map[string]bool              // ids whose owner may have changed
	folders map[string]bool              // folders for which another file may stand now
	fresh   map[int64]*called            // memories to be placed and named: new, or with another title or id
	dirs    map[string]map[string]stored // folders in which a row of files changed, and what became of their files on disk

	relocated []int64          // rows with another place
	numbers   map[string]int64 // of folders
	docs      docs             // the full-text index's share
}

func newApplier(t *tx, w *work) *applier {
	return &applier{t: t, w: w, claims: make(map[string]bool), folders: make(map[string]bool), fresh: make(map[int64]*called), dirs: make(map[string]map[string]stored), numbers: make(map[string]int64)}
}

// heads brings files.head up to date.
func (a *applier) heads() error {
	if a.w.allHeads {
		if err := a.forgetHeads(); err != nil {
			return err
		}
	}
	for _, h := range a.w.heads {
		var err error
		if h.blob == "" {
			err = a.dropHead(h.path)
		} else {
			err = a.setHead(h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetHeads drops the HEAD side of every file that w.heads does not list.
func (a *applier) forgetHeads() error {
	listed := make(map[string]bool, len(a.w.heads))
	for _, h := range a.w.heads {
		listed[string(h.path)] = true
	}
	var gone []vault.Path
	err := a.t.each(`SELECT path FROM files WHERE head <> x''`, nil, func(scan scanner) error {
		var path string
		err := scan(&path)
		if !listed[path] {
			gone = append(gone, vault.Path(path))
		}
		return err
	})
	for _, path := range gone {
		if err == nil {
			err = a.dropHead(path)
		}
	}
	return err
}

func (a *applier) setHead(h headBlob) error {
	var was oid
	var disk bool
	if _, err := a.t.maybe(`SELECT head, disk FROM files WHERE path = ?`, []any{h.path}, &was, &disk); err != nil {
		return err
	}
	if string(was) == h.blob {
		return nil
	}
	dir, err := a.folder(h.path.Dir())
	if err != nil {
		return err
	}
	err = a.t.exec(`INSERT INTO files (path, dir, rank, head) VALUES (?, ?, ?, ?)
		ON CONFLICT (path) DO UPDATE SET head = excluded.head`, h.path, dir, h.path.FolderRank(), oid(h.blob))
	if err != nil || was != "" {
		return err
	}
	return a.committed(h.path, disk)
}

func (a *applier) dropHead(p vault.Path) error {
	var disk bool
	found, err := a.t.maybe(`SELECT disk FROM files WHERE path = ? AND head <> x''`, []any{p}, &disk)
	if err != nil || !found {
		return err
	}
	if disk {
		err = a.t.exec(`UPDATE files SET head = x'' WHERE path = ?`, p)
	} else {
		a.touch(p.Dir())
		err = a.t.exec(`DELETE FROM files WHERE path = ?`, p)
	}
	if err != nil {
		return err
	}
	return a.committed(p, disk)
}

// committed notes what follows when a file enters or leaves HEAD: a committed
// file has its id before others, and one that is in HEAD only makes orphans.
func (a *applier) committed(p vault.Path, disk bool) error {
	if !disk {
		a.stands(p)
		return nil
	}
	var claim string
	_, err := a.t.maybe(`SELECT coalesce(claim, id, '') FROM memories WHERE n = (SELECT n FROM files WHERE path = ?)`, []any{p}, &claim)
	a.claims[claim] = true
	return err
}

// stands notes that p may have begun or ceased to stand for a folder.
func (a *applier) stands(p vault.Path) {
	a.folders[string(p.Stem())] = true
	if p.FolderRank() > 0 {
		a.folders[string(p.Dir())] = true
	}
}

// drops removes the files that a complete scan did not meet.
func (a *applier) drops() error {
	for _, p := range a.w.gone {
		if err := a.drop(p); err != nil {
			return err
		}
	}
	return nil
}

// drop removes a file's disk side.
func (a *applier) drop(p vault.Path) error {
	var n int64
	var head oid
	found, err := a.t.maybe(`SELECT n, head FROM files WHERE path = ? AND disk`, []any{p}, &n, &head)
	if err != nil || !found {
		return err
	}
	a.w.report.Removed++
	a.stores(p, stored{gone: true})
	if err := a.dropMemory(n); err != nil {
		return err
	}
	a.stands(p)
	if err := a.t.exec(`DELETE FROM problems WHERE n = ?`, n); err != nil {
		return err
	}
	if head == "" {
		return a.t.exec(`DELETE FROM files WHERE n = ?`, n)
	}
	return a.t.exec(`UPDATE files SET disk = 0, hash = x'', size = 0, mark = 0 WHERE n = ?`, n)
}

// dropMemory removes what is known of a file's text.
func (a *applier) dropMemory(n int64) error {
	var claim string
	found, err := a.t.maybe(`SELECT coalesce(claim, id, '') FROM memories WHERE n = ?`, []any{n}, &claim)
	if err != nil || !found {
		return err
	}
	a.claims[claim] = true
	if err := a.unname(n); err != nil {
		return err
	}
	delete(a.fresh, n)
	a.docs.drop(n)
	for _, table := range [...]string{
		`DELETE FROM memories WHERE n = ?`, `DELETE FROM labels WHERE n = ?`, `DELETE FROM links WHERE n = ?`,
		`DELETE FROM pointers WHERE parent = ?`, `UPDATE memories SET parent = NULL WHERE parent = ?`,
	} {
		if err := a.t.exec(table, n); err != nil {
			return err
		}
	}
	return nil
}

// troubles stores the entries that cannot be memories. One that cannot be read
// keeps what is known of it.
func (a *applier) troubles() error {
	for _, problem := range a.w.problems {
		if err := a.trouble(problem.Path, problem); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) trouble(p vault.Path, problem vault.Problem) error {
	a.stands(p)
	dir, err := a.folder(p.Dir())
	if err != nil {
		return err
	}
	mark := markOf(vault.File{Path: p, Problem: &problem})
	a.stores(p, stored{mark: mark})
	var n int64
	err = a.t.one(`INSERT INTO files (path, dir, rank, disk, mark) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (path) DO UPDATE SET disk = 1, mark = excluded.mark RETURNING n`,
		[]any{p, dir, p.FolderRank(), short(mark)}, &n)
	if err != nil {
		return err
	}
	if held(problem) {
		return a.addProblem(n, unreadable, problem)
	}
	if err := a.dropMemory(n); err != nil {
		return err
	}
	if err := a.t.exec(`UPDATE files SET hash = x'', size = 0 WHERE n = ?`, n); err != nil {
		return err
	}
	return a.setProblems(n, []vault.Problem{problem})
}

// held reports whether a file with the problem keeps what is known of it.
func held(p vault.Problem) bool {
	return p.Kind == vault.ProblemUnreadable || p.Kind == vault.ProblemEvicted
}

// unreadable is the seq of the problem that a file cannot be read: it stands
// beside those of the text it last had, and goes when it can be read again.
const unreadable = -1

func (a *applier) setProblems(n int64, problems []vault.Problem) error {
	if err := a.t.exec(`DELETE FROM problems WHERE n = ?`, n); err != nil {
		return err
	}
	for i, problem := range problems {
		if err := a.addProblem(n, i, problem); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) addProblem(n int64, seq int, problem vault.Problem) error {
	return a.t.exec(`INSERT OR REPLACE INTO problems (n, seq, kind, line, msg) VALUES (?, ?, ?, ?, ?)`,
		n, seq, problem.Kind, problem.Line, problem.Msg)
}
