package ask

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Twins tells memories that are one: of two clones of a vault, those of one id whose files
// hold the same.
type Twins struct {
	f    *Family
	seen map[vault.ID][]place
}

// place is a file of a project.
type place struct {
	family.Origin
	path vault.Path
}

func (f *Family) Twins() *Twins { return &Twins{f, map[vault.ID][]place{}} }

// Again reports whether a twin of a memory came before, in another vault.
func (t *Twins) Again(id vault.ID, o family.Origin, p vault.Path) bool {
	for _, other := range t.seen[id] {
		if other.ProjectPath != o.ProjectPath && t.f.equal(other, place{o, p}) {
			return true
		}
	}
	t.seen[id] = append(t.seen[id], place{o, p})
	return false
}

// equal reports whether two files hold the same. What cannot be read is equal to nothing.
func (f *Family) equal(a, b place) bool {
	x, okx := f.readProjectFile(a.Origin, a.path)
	y, oky := f.readProjectFile(b.Origin, b.path)
	return okx && oky && string(x) == string(y)
}

// readProjectFile returns a file of a project.
func (f *Family) readProjectFile(o family.Origin, p vault.Path) ([]byte, bool) {
	m, ok := f.Holder(o, p)
	if !ok {
		return nil, false
	}
	b, _, err := m.Store.Read(p)
	return b, err == nil
}
