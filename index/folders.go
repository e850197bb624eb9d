package index

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// For each folder the mirror keeps its listing (vault.Listing): the files of its rows with
// their marks, and the stat of the folder itself. A scan of the whole vault compares the
// disk with the listings and asks for rows only if they differ. So a catch-up with nothing
// to do reads a row for each folder and none for a file, and lists only few folders.
//
// A folder's own stat is racy as a file's is (mark.go): if it changed so shortly before we
// looked that another name could come with the same time, no stat is kept, and the folder
// is listed again.

// keptFolder is a folder as it was kept; met tells that the scan has come by it.
type keptFolder struct {
	vault.Listing
	met bool
}

// seenFolder is a folder that a scan did not find as it was kept.
type seenFolder struct {
	own   vault.Stat // zero where it says nothing
	subs  string
	files int
	same  bool // its files are as they were kept
}

// scanFolders is scan for the whole vault.
func (w *work) scanFolders(t *tx, src vault.Source) (err error) {
	if w.kept, err = listings(t); err != nil {
		return err
	}
	w.began, w.seen = time.Now(), make(map[string]*seenFolder)
	kept := func(p vault.Path) vault.Listing {
		if k := w.kept[string(p)]; k != nil {
			return k.Listing
		}
		return vault.Listing{}
	}
	var differ []vault.File
	w.report.Complete, err = src.ScanFolders(t.Context, kept, func(f vault.Folder) error {
		differ = w.meet(f, differ)
		return nil
	})
	if err != nil {
		return err
	}
	if w.known, err = knownOf(t, differ, w.report.Files); err != nil {
		return err
	}
	for _, f := range differ {
		w.consider(src, f)
	}
	w.leave()
	return nil
}

// listings loads what is kept of the folders.
func listings(t *tx) (map[string]*keptFolder, error) {
	kept := make(map[string]*keptFolder)
	err := t.Each(`SELECT path, listing FROM folders WHERE listing IS NOT NULL`, nil, func(r *sqlite.Row) error {
		dir := r.Text()
		l, ok := vault.UnpackListing(r.Blob())
		if !ok {
			return sqlite.ErrDamaged
		}
		kept[dir] = &keptFolder{Listing: l}
		return nil
	})
	return kept, err
}

// meet notes a folder that the scan has come by, and adds the files in it that
// are not as they were kept to differ.
func (w *work) meet(f vault.Folder, differ []vault.File) []vault.File {
	was := w.kept[string(f.Path)]
	if was == nil {
		was = &keptFolder{}
	}
	was.met = true
	if f.Same {
		w.report.Files += f.Count
		return differ
	}
	seen := &seenFolder{own: f.Own, subs: f.Subs, same: true}
	w.seen[string(f.Path)] = seen
	if racy(f.Own, w.began) {
		seen.own = vault.Stat{}
	}
	if seen.own != was.Own && seen.own != (vault.Stat{}) {
		w.stale += 1 + f.Names
	}
	kept := f.Files[:0]
	for _, file := range f.Files {
		if scanned(&file) {
			kept = append(kept, file)
		}
	}
	f.Files = kept
	seen.files = len(f.Files)
	w.report.Files += seen.files
	return w.differ(f, was.Files, seen, differ)
}

// differ compares the files of a folder with those that were kept.
func (w *work) differ(f vault.Folder, was vault.Marks, seen *seenFolder, differ []vault.File) []vault.File {
	sortFiles(f.Files)
	at := 0
	for name, mark := range was.All() {
		for at < len(f.Files) && f.Files[at].Path.Base() < name {
			differ, seen.same = append(differ, f.Files[at]), false
			at++
		}
		if at == len(f.Files) || f.Files[at].Path.Base() != name {
			w.lost, seen.same = append(w.lost, f.Path.Join(name)), false
			continue
		}
		if now := f.Files[at]; !now.Kept && (mark == "" || mark != markOf(now)) {
			differ, seen.same = append(differ, f.Files[at]), false
		}
		at++
	}
	seen.same = seen.same && at == len(f.Files)
	return append(differ, f.Files[at:]...)
}

// missed reports whether a folder that was kept is not there any more.
func (w *work) missed(dir string) bool {
	was := w.kept[dir]
	return w.report.Complete && was != nil && !was.met
}

// leave takes what a complete scan has not met for gone.
func (w *work) leave() {
	if !w.report.Complete {
		return
	}
	w.gone = w.lost
	for dir, was := range w.kept {
		if !w.missed(dir) {
			continue
		}
		for name := range was.Files.All() {
			w.gone = append(w.gone, vault.Path(dir).Join(name))
		}
	}
}

// sortFiles brings the problems among them, which come last, to their names.
func sortFiles(files []vault.File) {
	byPath := func(a, b vault.File) int { return strings.Compare(string(a.Path), string(b.Path)) }
	if !slices.IsSortedFunc(files, byPath) {
		slices.SortStableFunc(files, byPath)
	}
}

// knownOf loads the rows of the files, one by one or, where they are a good part
// of all there are, together.
func knownOf(t *tx, files []vault.File, of int) (map[string]knownFile, error) {
	if len(files) > of/8 {
		return knownFiles(t, vault.Scope{})
	}
	known := make(map[string]knownFile, len(files))
	for _, f := range files {
		if err := loadKnown(t, known, knownRows+` AND path = ?`, f.Path); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// enough is the number of names read again from which a listing is written down for its
// own sake. Reading fewer again costs less.
const enough = 256

// refresh keeps the new listings for the next scan, if they are many and nobody else is
// writing. A failure does not matter.
func (w *work) refresh(ctx context.Context, p *pool) {
	if w == nil || !w.whole || w.stale < enough {
		return
	}
	_ = p.attempt(ctx, func(t *tx) error {
		if now, err := loadState(t); err != nil || now != w.state {
			return err
		}
		return newWriter(t, w, newTables(t)).listings()
	})
}
