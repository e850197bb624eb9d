package converge

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Edits are the edits of one commit: one for each file, by its path on disk.
type Edits map[vault.Path]*vault.Edit

// Of returns the edit of the file at p; a new one changes nothing yet.
func (l Edits) Of(p vault.Path) *vault.Edit {
	if l[p] == nil {
		l[p] = &vault.Edit{Path: p}
	}
	return l[p]
}

// Add appends steps to the edit of the file at p.
func (l Edits) Add(p vault.Path, steps ...vault.Step) {
	e := l.Of(p)
	e.Steps = append(e.Steps, steps...)
}

// ListChanging returns the edits that change something; those of one folder stand together.
func (l Edits) ListChanging() []vault.Edit {
	var out []vault.Edit
	for _, p := range slices.Sorted(maps.Keys(l)) {
		if e := l[p]; len(e.Steps) > 0 || e.To != "" || e.Remove || e.Whole || e.Adopt || e.Create != nil {
			out = append(out, *e)
		}
	}
	return out
}

// creates reports whether an edit puts a file at p.
func (l Edits) creates(p vault.Path) bool {
	for _, e := range l {
		if e.To == p || e.Create != nil && e.Path == p {
			return true
		}
	}
	return false
}
