package graph

import (
	"context"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// FactFiles is what has to be done about facts files. The zero Work is nothing.
type FactFiles struct {
	Looks []vault.Path // files to read
	Gone  []vault.Path // rows to drop

	problems []vault.Problem // entries that cannot be facts files
	look     *listing.Look   // where the scan was by folders
}

// Empty reports whether there is nothing to write.
func (w *FactFiles) Empty() bool { return len(w.Looks)+len(w.Gone)+len(w.problems) == 0 }

// Receive takes in a file that a receipt names.
func (w *FactFiles) Receive(p vault.Path, gone bool) {
	if gone {
		w.Gone = append(w.Gone, p)
	} else {
		w.Looks = append(w.Looks, p)
	}
}

// LookAtFactFiles compares the disk with the rows, as far as the scope goes: a shallow one or that of
// a folder of memories tells of no facts. folders may be nil.
func LookAtFactFiles(t *sqlite.Tx, src vault.Files, folders listing.Scanner, scope vault.Scope) (*FactFiles, error) {
	w := &FactFiles{}
	switch {
	case scope.IsWholeVault() && folders != nil:
		return w, w.compareFolders(t, src, folders, scope.Each)
	case scope.IsWholeVault():
		return w, w.scan(t, src, vault.Scope{Dir: vault.FactsDir})
	case len(scope.Paths) > 0 || scope.Dir.Within(vault.FactsDir):
		return w, w.scan(t, src, factsScope(scope))
	}
	return w, nil
}

// factsScope leaves of a scope what is about facts.
func factsScope(scope vault.Scope) vault.Scope {
	out := vault.Scope{}
	if scope.Dir.Within(vault.FactsDir) {
		out.Dir = scope.Dir
	}
	for _, p := range scope.Paths {
		if p.Within(vault.FactsDir) {
			out.Paths = append(out.Paths, p)
		}
	}
	return out
}

// known is the row of a file.
type known struct {
	mark int64
	hash sqlite.Hash
}

const rows = `SELECT path, mark, hash FROM facts`

func loadKnown(t *sqlite.Tx, into map[vault.Path]known, query string, args ...any) error {
	return t.Each(query, args, func(r *sqlite.Row) error {
		into[vault.Path(r.Text())] = known{r.Int64(), r.Hash()}
		return nil
	})
}

// scan compares a folder, or single files and folders, file by file.
func (w *FactFiles) scan(t *sqlite.Tx, src vault.Files, scope vault.Scope) error {
	dirs := scope.Paths
	if scope.Dir != "" {
		dirs = []vault.Path{scope.Dir}
	}
	if len(dirs) == 0 {
		return nil
	}
	was := make(map[vault.Path]known)
	for _, p := range dirs {
		if err := loadKnown(t, was, rows+` WHERE path = ? OR path > ? AND path < ?`, p, p+"/", p+"0"); err != nil {
			return err
		}
	}
	met := make(map[vault.Path]bool)
	complete, err := src.Scan(t.Context, scope, func(f vault.File) error {
		if f.Path.Within(vault.FactsDir) {
			met[f.Path] = true
			w.consider(src, f, was)
		}
		return nil
	})
	if err != nil || !complete {
		return err
	}
	for p := range was {
		if !met[p] {
			w.Gone = append(w.Gone, p)
		}
	}
	return nil
}

// compareFolders compares the folders with what was kept of them. Where there are few files each of
// them is looked at, however it was written.
func (w *FactFiles) compareFolders(t *sqlite.Tx, src vault.Files, folders listing.Scanner, each bool) error {
	w.look = listing.Begin(time.Now())
	err := t.Each(`SELECT path, listing FROM fact_folders`, nil, func(r *sqlite.Row) error {
		dir := r.Text()
		l, ok := listing.Unpack(r.Blob())
		if !ok {
			return sqlite.ErrDamaged
		}
		w.look.Keep(dir, l)
		return nil
	})
	var many bool
	if err == nil && !each {
		err = t.One(`SELECT count(*) > ? FROM (SELECT 1 FROM facts LIMIT +?)`, []any{listing.FewFacts, listing.FewFacts + 1}, &many)
	}
	if err != nil {
		return err
	}
	complete, err := folders.ScanFacts(t.Context, each || !many, w.look.FindKept, func(f listing.Folder) error {
		w.look.Meet(f)
		return nil
	})
	if err != nil {
		return err
	}
	w.look.End(complete)
	w.Gone = w.look.ListGone()
	return w.differ(t, src)
}

// differ compares the files that are not as they were kept with their rows.
func (w *FactFiles) differ(t *sqlite.Tx, src vault.Files) error {
	was := make(map[vault.Path]known)
	if len(w.look.Differ) > 1000 {
		if err := loadKnown(t, was, rows); err != nil {
			return err
		}
	} else {
		for _, f := range w.look.Differ {
			if err := loadKnown(t, was, rows+` WHERE path = ?`, f.Path); err != nil {
				return err
			}
		}
	}
	for _, f := range w.look.Differ {
		w.consider(src, f, was)
	}
	return nil
}

// consider compares an entry with its row. A row without a mark has to be compared with the
// file itself: it was written too shortly before it was read.
func (w *FactFiles) consider(src vault.Files, f vault.File, rows map[vault.Path]known) {
	was, ok := rows[f.Path]
	switch {
	case ok && was.mark != 0 && was.mark == shortMark(listing.Mark(f)):
	case f.Problem != nil:
		w.problems = append(w.problems, *f.Problem)
	case !ok || was.mark != 0 || !isUnchanged(src, f.Path, was):
		w.Looks = append(w.Looks, f.Path)
	}
}

// isUnchanged reports whether a file without a mark holds what its row says, and still cannot be
// given one.
func isUnchanged(src vault.Files, p vault.Path, was known) bool {
	now := time.Now()
	b, stat, err := src.Read(p)
	return err == nil && string(was.hash) == src.BlobID(b) && listing.MarkOf(stat, now) == ""
}

// Refresh keeps the listings of folders for the next scan, where nothing else has changed.
func (w *FactFiles) Refresh(t *sqlite.Tx) {
	if w != nil && w.look != nil {
		w.writeListings(t, nil)
	}
}

// Stale returns how many names had to be read that need not be the next time.
func (w *FactFiles) Stale() int {
	if w == nil || w.look == nil {
		return 0
	}
	return w.look.Stale
}

// AllFactFiles finds all files, for a mirror that is made from nothing.
func AllFactFiles(ctx context.Context, src vault.Files) (*FactFiles, error) {
	w := &FactFiles{}
	_, err := src.Scan(ctx, vault.Scope{Dir: vault.FactsDir}, func(f vault.File) error {
		w.consider(src, f, nil)
		return nil
	})
	return w, err
}
