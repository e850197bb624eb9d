package index

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
)

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

// stored is what became of a file on disk.
type stored struct {
	mark string
	gone bool
}

// stores notes what became of a file.
func (a *applier) stores(p vault.Path, s stored) {
	a.touch(p.Dir())
	a.dirs[string(p.Dir())][p.Base()] = s
}

// touch has the listing of a folder written.
func (a *applier) touch(dir vault.Path) {
	if a.dirs[string(dir)] == nil {
		a.dirs[string(dir)] = make(map[string]stored)
	}
}

// listings writes what there is now in the folders that were seen or written to.
func (a *applier) listings() error {
	for dir := range a.w.seen {
		a.touch(vault.Path(dir))
	}
	for dir := range a.w.kept {
		if a.w.missed(dir) {
			a.touch(vault.Path(dir))
		}
	}
	for dir, changes := range a.dirs {
		if err := a.list(dir, changes); err != nil {
			return err
		}
	}
	return nil
}

// list writes the listing of one folder.
func (a *applier) list(dir string, changes map[string]stored) error {
	was, err := a.kept(dir)
	if err != nil {
		return err
	}
	next := vault.Listing{Own: was.Own, Subs: was.Subs}
	files, renamed := patched(&next, was.Files, changes)
	switch seen := a.w.seen[dir]; {
	case seen == nil && renamed:
		next.Own = vault.Stat{}
	case seen == nil:
	case seen.same && len(changes) == 0, a.w.report.Complete && seen.files == files:
		next.Own, next.Subs = seen.own, seen.subs
	default:
		next.Own = vault.Stat{}
	}
	if a.w.missed(dir) {
		next = vault.Listing{}
	}
	if next == was {
		return nil
	}
	if next.Files != "" || next.Own != (vault.Stat{}) {
		return a.t.exec(`INSERT INTO folders (path, listing) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET listing = excluded.listing`, dir, next.Pack())
	}
	// What is left there, if anything, is in HEAD alone.
	if err := a.t.exec(`UPDATE folders SET listing = NULL WHERE path = ?`, dir); err != nil {
		return err
	}
	return a.t.exec(`DELETE FROM folders WHERE path = ? AND NOT EXISTS (SELECT 1 FROM files WHERE files.dir = f)`, dir)
}

// kept returns what is kept of a folder.
func (a *applier) kept(dir string) (vault.Listing, error) {
	if k := a.w.kept[dir]; k != nil || a.w.kept != nil {
		if k == nil {
			k = &keptFolder{}
		}
		return k.Listing, nil
	}
	var packed []byte
	found, err := a.t.maybe(`SELECT listing FROM folders WHERE path = ? AND listing IS NOT NULL`, []any{dir}, &packed)
	if err != nil || !found {
		return vault.Listing{}, err
	}
	l, ok := vault.UnpackListing(packed)
	if !ok {
		return l, errDamaged
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
