package index

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// stored is the new state of a file on disk.
type stored struct {
	mark string
	gone bool
}

// stores notes what became of a file.
func (wr *writer) stores(p vault.Path, s stored) {
	wr.touch(p.Dir())
	wr.dirs[string(p.Dir())][p.Base()] = s
}

// touch has the listing of a folder written.
func (wr *writer) touch(dir vault.Path) {
	if wr.dirs[string(dir)] == nil {
		wr.dirs[string(dir)] = make(map[string]stored)
	}
}

// listings writes what there is now in the folders that were seen or written to.
func (wr *writer) listings() error {
	for dir := range wr.w.seen {
		wr.touch(vault.Path(dir))
	}
	for dir := range wr.w.kept {
		if wr.w.missed(dir) {
			wr.touch(vault.Path(dir))
		}
	}
	for dir, changes := range wr.dirs {
		if err := wr.list(dir, changes); err != nil {
			return err
		}
	}
	return nil
}

// list writes the listing of one folder.
func (wr *writer) list(dir string, changes map[string]stored) error {
	was, err := wr.kept(dir)
	if err != nil {
		return err
	}
	next := vault.Listing{Own: was.Own, Subs: was.Subs}
	files, renamed := patched(&next, was.Files, changes)
	switch seen := wr.w.seen[dir]; {
	case seen == nil && renamed:
		next.Own = vault.Stat{}
	case seen == nil:
	case seen.same && len(changes) == 0, wr.w.report.Complete && seen.files == files:
		next.Own, next.Subs = seen.own, seen.subs
	default:
		next.Own = vault.Stat{}
	}
	if wr.w.missed(dir) {
		next = vault.Listing{}
	}
	if next == was {
		return nil
	}
	if next.Files != "" || next.Own != (vault.Stat{}) {
		return wr.t.Exec(`INSERT INTO folders (path, listing) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET listing = excluded.listing`, dir, next.Pack())
	}
	// If anything is left there, it is only in HEAD.
	if err := wr.t.Exec(`UPDATE folders SET listing = NULL WHERE path = ?`, dir); err != nil {
		return err
	}
	return wr.t.Exec(`DELETE FROM folders WHERE path = ? AND NOT EXISTS (SELECT 1 FROM files WHERE files.dir = f)`, dir)
}

// kept returns what is kept of a folder.
func (wr *writer) kept(dir string) (vault.Listing, error) {
	if k := wr.w.kept[dir]; k != nil || wr.w.kept != nil {
		if k == nil {
			k = &keptFolder{}
		}
		return k.Listing, nil
	}
	var packed []byte
	found, err := wr.t.Maybe(`SELECT listing FROM folders WHERE path = ? AND listing IS NOT NULL`, []any{dir}, &packed)
	if err != nil || !found {
		return vault.Listing{}, err
	}
	l, ok := vault.UnpackListing(packed)
	if !ok {
		return l, sqlite.ErrDamaged
	}
	return l, nil
}

// patched puts the files that were kept, with what has changed, into l. It returns
// how many there are and whether a name came or went.
func patched(l *vault.Listing, was vault.Marks, changes map[string]stored) (files int, renamed bool) {
	b := make([]byte, 0, len(was)+64*len(changes))
	add := func(name, mark string) {
		b = vault.AppendMark(b, name, mark)
		files++
	}
	names := slices.Sorted(maps.Keys(changes))
	come := func(before string, all bool) {
		for ; len(names) > 0 && (all || names[0] < before); names = names[1:] {
			if s := changes[names[0]]; !s.gone {
				add(names[0], s.mark)
				renamed = true
			}
		}
	}
	for name, mark := range was.All() {
		come(name, false)
		if s, ok := changes[name]; ok {
			names = names[1:]
			if mark = s.mark; s.gone {
				renamed = true
				continue
			}
		}
		add(name, mark)
	}
	come("", true)
	l.Files = vault.Marks(b)
	return files, renamed
}
