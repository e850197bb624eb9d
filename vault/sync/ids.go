package sync

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
)

// claimant is one of several files that carry the same id.
type claimant struct {
	path vault.Path
	born time.Time // of its first commit; zero when it was never committed
}

// duplicates settles ids that several files carry: after a copy made by hand, or a merge
// of two clones. All files stay. The file with the oldest first commit keeps the id, the
// others get new ones. Every clone comes to the same winner.
func (r *reconciler) duplicates() error {
	claims := make(map[vault.ID][]vault.Path)
	for _, p := range r.out.Problems {
		if p.Kind != vault.ProblemDuplicateID {
			continue
		}
		if doc, err := r.tx.Read(p.Path); err == nil {
			if id := vault.Parse(p.Path, doc).ID; id != "" && !slices.Contains(claims[id], p.Path) {
				claims[id] = append(claims[id], p.Path)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(claims)) {
		if err := r.settleID(id, claims[id]); err != nil {
			return err
		}
	}
	return nil
}

// settleID leaves the id to one of the files.
func (r *reconciler) settleID(id vault.ID, paths []vault.Path) error {
	if n, err := r.t.Find(r.ctx, string(id)); err == nil && n.ID == id && !slices.Contains(paths, n.Path) {
		paths = append(paths, n.Path)
	}
	var claimants []claimant
	for _, p := range paths {
		first, err := r.first(p)
		if err != nil {
			return err
		}
		claimants = append(claimants, claimant{p, first.Time})
	}
	slices.SortFunc(claimants, older)
	r.file(claimants[0].path).id = id
	for _, c := range claimants[1:] {
		if err := r.renumber(id, c.path, claimants[0].path); err != nil {
			return err
		}
	}
	return nil
}

// older orders claimants: by first commit, those without one last, then by path.
func older(a, b claimant) int {
	switch {
	case a.born.IsZero() != b.born.IsZero():
		if a.born.IsZero() {
			return 1
		}
		return -1
	case !a.born.Equal(b.born):
		return a.born.Compare(b.born)
	}
	return cmp.Compare(a.path, b.path)
}

// first returns the first commit that touched the file; the zero value when none did.
func (r *reconciler) first(p vault.Path) (first vault.Revision, err error) {
	err = r.tx.History(r.ctx, []vault.Path{p}, func(rev vault.Revision) bool {
		first = rev
		return true
	})
	return first, err
}

// renumber gives the file at p another id, since keeper has the same one.
func (r *reconciler) renumber(id vault.ID, p, keeper vault.Path) error {
	if !r.concerns(p) {
		return nil
	}
	new, err := r.newID(p, id)
	if err != nil {
		return err
	}
	on := r.file(p)
	on.id, on.lost, on.named = new, id, true
	r.memory(new).touched = true
	r.remember(new, r.memory(id).phrase)
	r.edits.Of(p).Adopt = true
	step := r.tx.Identify(new, id)
	r.edits.Add(p, step)
	d := Discrepancy{Type: DuplicateID, Child: id, ChildTitle: on.Title, Path: p, Detail: "the same id as " + string(keeper)}
	if doc, err := r.read(p); err == nil {
		doc, _ = step.Apply(doc)
		d.Key = idKey(doc)
	}
	r.found(d, "gave it the new id %s; %s keeps %s", new, keeper, id)
	return nil
}

// unseenID draws an id that no file has, nor gets in this pass.
func (r *reconciler) unseenID() (vault.ID, error) {
	for {
		id, err := r.tx.NewID(r.ctx)
		if err != nil || !r.memory(id).seen {
			return id, err
		}
	}
}
