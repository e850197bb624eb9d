package index

import (
	"database/sql"
	"encoding/binary"

	"github.com/cp-memory/cp/vault"
)

// For each folder the mirror keeps one number, its digest: the sum of a hash of
// each file's path and mark. A scan of the whole vault adds up the same, and
// only where the sums differ does it ask for the rows, so that a catch-up with
// nothing to do reads a row for a folder and none for a file. A file that
// is to be looked at again (its mark is empty) spoils its folder's sum on purpose.

// fileDigest hashes a file's path and mark: FNV-1a, mixed, since sums of plain
// FNV values of similar names meet too easily.
func fileDigest(path string, mark []byte) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(path) {
		h = (h ^ uint64(path[i])) * 1099511628211
	}
	for ; len(mark) >= 8; mark = mark[8:] {
		h = mixed(h ^ binary.LittleEndian.Uint64(mark))
	}
	for _, c := range mark {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return mixed(h)
}

// mixed is the end of SplitMix64.
func mixed(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// folder returns the number of a folder, a new one where it has none.
func (a *applier) folder(dir vault.Path) (f int64, err error) {
	if f, ok := a.numbers[string(dir)]; ok {
		return f, nil
	}
	found, err := a.t.maybe(`SELECT f FROM folders WHERE path = ?`, []any{dir}, &f)
	if err == nil && !found {
		err = a.t.one(`INSERT INTO folders (path) VALUES (?) RETURNING f`, []any{dir}, &f)
	}
	a.numbers[string(dir)] = f
	return f, err
}

// digests writes the digests of the folders in which rows changed.
func (a *applier) digests() error {
	for dir := range a.dirs {
		var sum uint64
		files := 0
		err := a.t.each(`SELECT path, mark FROM files WHERE dir = (SELECT f FROM folders WHERE path = ?) AND disk`, []any{dir}, func(scan scanner) error {
			var path string
			var mark sql.RawBytes
			err := scan(&path, &mark)
			sum += fileDigest(path, mark)
			files++
			return err
		})
		switch {
		case err != nil:
			return err
		case files > 0:
			err = a.t.exec(`UPDATE folders SET digest = ? WHERE path = ?`, int64(sum), dir)
		default: // what is left there, if anything, is in HEAD alone
			err = a.t.exec(`UPDATE folders SET digest = NULL WHERE path = ?`, dir)
			if err == nil {
				err = a.t.exec(`DELETE FROM folders WHERE path = ? AND NOT EXISTS (SELECT 1 FROM files WHERE files.dir = f)`, dir)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// seenFolder is what a scan saw in one folder.
type seenFolder struct {
	digest uint64
	files  []vault.File
}

// scanFolders is scan for the whole vault.
func (w *work) scanFolders(t *tx, src vault.Source) error {
	seen := make(map[string]*seenFolder)
	var dir string
	var at *seenFolder
	complete, err := src.Scan(t.ctx, vault.Scope{}, func(f vault.File) error {
		if !scanned(&f) {
			return nil
		}
		w.report.Files++
		if d := string(f.Path.Dir()); at == nil || d != dir {
			if dir, at = d, seen[d]; at == nil {
				at = &seenFolder{}
				seen[d] = at
			}
		}
		at.digest += scanDigest(f)
		at.files = append(at.files, f)
		return nil
	})
	w.report.Complete = complete
	if err != nil {
		return err
	}
	differ, err := differing(t, seen)
	if err != nil || len(differ) == 0 {
		return err
	}
	if w.known, err = knownIn(t, differ); err != nil {
		return err
	}
	w.compare(src, differ)
	return nil
}

func scanDigest(f vault.File) uint64 {
	if f.Problem != nil {
		return fileDigest(string(f.Path), []byte(markOf(f)))
	}
	b := packed(f.Stat)
	return fileDigest(string(f.Path), b[:])
}

// differing returns the folders whose digest is not the one that is kept.
func differing(t *tx, seen map[string]*seenFolder) (map[string]*seenFolder, error) {
	differ := make(map[string]*seenFolder)
	kept := 0
	err := t.each(`SELECT path, digest FROM folders WHERE digest IS NOT NULL`, nil, func(scan scanner) error {
		var dir string
		var digest int64
		if err := scan(&dir, &digest); err != nil {
			return err
		}
		f, ok := seen[dir]
		if ok {
			kept++
		}
		switch {
		case !ok:
			differ[dir] = &seenFolder{}
		case f.digest != uint64(digest):
			differ[dir] = f
		default:
			f.files = nil // nothing to look at
		}
		return nil
	})
	if err != nil || kept == len(seen) {
		return differ, err
	}
	for dir, f := range seen {
		if f.files != nil {
			differ[dir] = f // with those that are not kept
		}
	}
	return differ, nil
}

// manyFolders is from where on all rows are loaded at once.
const manyFolders = 200

// knownIn loads the rows of the folders.
func knownIn(t *tx, folders map[string]*seenFolder) (map[string]knownFile, error) {
	if len(folders) > manyFolders {
		return knownFiles(t, vault.Scope{})
	}
	known := make(map[string]knownFile)
	for dir := range folders {
		if err := loadKnown(t, known, `SELECT path, mark, hash FROM files WHERE dir = (SELECT f FROM folders WHERE path = ?) AND disk`, dir); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// compare finds out what there is to do in the folders that differ.
func (w *work) compare(src vault.Source, folders map[string]*seenFolder) {
	met := make(map[string]bool)
	for _, f := range folders {
		for _, file := range f.files {
			w.consider(src, file, met)
		}
	}
	if !w.report.Complete {
		return
	}
	for path := range w.known {
		if p := vault.Path(path); !met[path] && folders[string(p.Dir())] != nil {
			w.gone = append(w.gone, p)
		}
	}
}
