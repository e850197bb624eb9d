package index

import (
	"context"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// For each folder the mirror keeps its listing (package listing): the files of its rows with
// their marks, and the stat of the folder itself. A scan of the whole vault compares the
// disk with the listings and asks for rows only if they differ. So a catch-up with nothing
// to do reads a row for each folder and none for a file, and lists only few folders.

// scanFolders is scan for the whole vault.
func (w *work) scanFolders(t *tx, src vault.Source, folders listing.Scanner) (err error) {
	w.look = listing.Begin(time.Now())
	if err := eachListing(t, w.look.Keep); err != nil {
		return err
	}
	w.report.Complete, err = folders.ScanFolders(t.Context, w.look.FindKept, func(f listing.Folder) error {
		met := f.Files[:0]
		for _, file := range f.Files {
			if admitFile(&file) {
				met = append(met, file)
			}
		}
		f.Files = met
		w.look.Meet(f)
		return nil
	})
	if err != nil {
		return err
	}
	w.look.End(w.report.Complete)
	w.report.Files, w.gone = w.look.Files, w.look.ListGone()
	if w.known, err = knownOf(t, w.look.Differ, w.report.Files); err != nil {
		return err
	}
	for _, f := range w.look.Differ {
		w.consider(src, f)
	}
	return nil
}

// eachListing calls fn with what is kept of each folder.
func eachListing(t *tx, fn func(dir string, l listing.Listing)) error {
	return t.Each(`SELECT path, listing FROM folders WHERE listing IS NOT NULL`, nil, func(r *sqlite.Row) error {
		dir := r.Text()
		l, ok := listing.Unpack(r.Blob())
		if !ok {
			return sqlite.ErrDamaged
		}
		fn(dir, l)
		return nil
	})
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
	if w == nil || w.look == nil || w.look.Stale+w.facts.Stale() < enough {
		return
	}
	_ = p.updateBriefly(ctx, 0, func(t *tx) error {
		if now, err := loadState(t); err != nil || now != w.state {
			return err
		}
		newWriter(t, w, newTables(t)).listings()
		w.facts.Refresh(t.Tx)
		return nil
	})
}

// stores notes what became of a file.
func (wr *writer) stores(p vault.Path, s listing.Change) {
	wr.markFolder(p.Dir())
	wr.dirs[string(p.Dir())][p.Base()] = s
}

// markFolder has the listing of a folder written.
func (wr *writer) markFolder(dir vault.Path) {
	if wr.dirs[string(dir)] == nil {
		wr.dirs[string(dir)] = make(map[string]listing.Change)
	}
}

// listings writes what there is now in the folders that were seen or written to.
func (wr *writer) listings() {
	for dir := range wr.w.look.ListChanged() {
		wr.markFolder(dir)
	}
	for dir, changes := range wr.dirs {
		wr.writeListing(dir, changes)
	}
}

// writeListing writes the listing of one folder.
func (wr *writer) writeListing(dir string, changes map[string]listing.Change) {
	was := wr.keptListing(dir)
	next := wr.w.look.Next(vault.Path(dir), was, changes)
	switch {
	case next == was:
	case next.Files != "" || next.Own != (vault.Stat{}):
		wr.t.Exec(`INSERT INTO folders (path, listing) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET listing = excluded.listing`, dir, next.Pack())
	default: // If anything is left there, it is only in HEAD.
		wr.t.Exec(`UPDATE folders SET listing = NULL WHERE path = ?`, dir)
		wr.t.Exec(`DELETE FROM folders WHERE path = ? AND NOT EXISTS (SELECT 1 FROM files WHERE files.dir = f)`, dir)
	}
}

// keptListing returns what is kept of a folder.
func (wr *writer) keptListing(dir string) (l listing.Listing) {
	if wr.w.look != nil {
		return wr.w.look.FindKept(vault.Path(dir))
	}
	var packed []byte
	if found, _ := wr.t.Maybe(`SELECT listing FROM folders WHERE path = ? AND listing IS NOT NULL`, []any{dir}, &packed); !found {
		return l
	}
	l, ok := listing.Unpack(packed)
	if !ok {
		_ = wr.t.Fail(sqlite.ErrDamaged)
	}
	return l
}
