package index

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// finish brings what follows from several files together to where it belongs,
// now that all are read, and writes what waited for that.
func (f *filler) finish() error {
	for _, step := range []func() error{f.award, f.place, f.name, f.folders} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// award is that of an applier: of several files with one id, a committed one has
// it before an uncommitted one, then the one with the smaller path.
func (f *filler) award() error {
	for id, rivals := range f.again {
		winner := rivals[0] // they are in the order of their paths
		if i := slices.IndexFunc(rivals, func(n int64) bool { return f.of(n).committed }); i >= 0 {
			winner = rivals[i]
		}
		f.of(rivals[0]).id, f.of(winner).id = "", id
		f.ids[id] = winner
		if err := f.rows.known.put(id, nil, winner); err != nil {
			return err
		}
	}
	for i := range f.all {
		if e := &f.all[i]; e.stored && e.id != e.claim {
			if err := f.standIn(int64(i+1), e); err != nil {
				return err
			}
		}
	}
	return nil
}

// standIn gives the memory its provisional id.
func (f *filler) standIn(n int64, e *entry) error {
	id := string(vault.ProvisionalID(e.path, func(id vault.ID) bool { return f.ids[string(id)] != 0 }))
	f.ids[id] = n
	if id == e.id {
		return nil
	}
	e.id = id
	return f.rows.known.put(id, e.claim, n)
}

// place corrects the places that were guessed wrong.
func (f *filler) place() error {
	f.guess = nil
	exact := newPlacer(f.holder)
	for i := range f.all {
		e := &f.all[i]
		if !e.stored {
			continue
		}
		at, err := exact.of(e.path)
		if err != nil {
			return err
		}
		if at == e.place {
			continue
		}
		if err := f.rows.placed.put(at.above(), int64(at.depth), at.orphan, int64(i+1)); err != nil {
			return err
		}
	}
	return nil
}

// holder is that of a transaction, from what is known so far; a file that is yet
// to be read is taken for a memory.
func (f *filler) holder(dir vault.Path) (seated, error) {
	var h seated
	consider := func(n int64) {
		e := f.of(n)
		if e.memory && h.n == 0 {
			h.n, h.path = n, e.path
		}
		h.missing = h.missing || !e.disk && e.committed
	}
	for _, ending := range [...]vault.Path{".MD", ".Md", ".mD", ".md"} {
		if n, ok := f.find(f.all, dir+ending); ok {
			consider(n)
		}
	}
	for _, n := range f.seats[dir] {
		consider(n)
	}
	return h, nil
}

// name writes what the memories can be meant by.
func (f *filler) name() error {
	for i := range f.all {
		if e := &f.all[i]; e.stored && !vault.ID(e.id).Provisional() {
			for _, key := range idNames(vault.ID(e.id)) {
				f.names = append(f.names, offer{key.key, int32(key.rank), int32(i + 1)})
			}
		}
	}
	slices.SortFunc(f.names, func(a, b offer) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.rank, b.rank), cmp.Compare(a.n, b.n))
	})
	for _, o := range slices.Compact(f.names) {
		if err := f.rows.name.put(o.key, int64(o.rank), int64(o.n)); err != nil {
			return err
		}
	}
	return nil
}

// folders writes the folders, those without a memory too.
func (f *filler) folders() error {
	for dir, seen := range f.w.seen {
		if seen.own != (vault.Stat{}) {
			f.dir(dir)
		}
	}
	for _, dir := range f.order {
		sum := f.dirs[dir]
		l := vault.Listing{Files: vault.Marks(sum.marks)}
		if seen := f.w.seen[dir]; seen != nil && seen.files == sum.files {
			l.Own, l.Subs = seen.own, seen.subs
		}
		var packed any
		if l.Files != "" || l.Own != (vault.Stat{}) {
			packed = l.Pack()
		}
		if err := f.rows.folder.put(sum.number, dir, packed); err != nil {
			return err
		}
	}
	return nil
}
