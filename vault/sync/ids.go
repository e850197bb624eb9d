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
	id   vault.ID  // as the file writes it
	had  bool      // HEAD's version of the file has it, too
	has  bool      // the mirror leaves it the id: it is the oldest in HEAD
	born time.Time // of its first commit; zero when it was never committed
}

// duplicates settles ids that several files carry: after a copy made by hand, or a merge
// of two clones. All files stay. A file that has the id in HEAD keeps it, of several the
// one with the oldest first commit; the others get new ones. Every clone comes to the same
// winner.
func (r *reconciler) duplicates() error {
	claims := make(map[string][]claimant) // by the folded id
	for _, p := range r.out.Problems {
		if p.Kind != vault.ProblemDuplicateID {
			continue
		}
		if doc, err := r.tx.Read(p.Path); err == nil {
			m := vault.Parse(p.Path, doc)
			c := claimant{path: p.Path, id: m.ID}
			if key := c.id.Fold(); c.id != "" && !m.ReadOnly() && !isClaimant(claims[key], p.Path) {
				claims[key] = append(claims[key], c)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(claims)) {
		if err := r.settleID(key, claims[key]); err != nil {
			return err
		}
	}
	return nil
}

// isClaimant reports whether the file at p is one of the claimants.
func isClaimant(all []claimant, p vault.Path) bool {
	return slices.ContainsFunc(all, func(c claimant) bool { return c.path == p })
}

// settleID leaves the id to one of the files.
func (r *reconciler) settleID(key string, all []claimant) error {
	n, err := r.t.Find(r.ctx, key)
	has := err == nil && n.ID.Fold() == key
	if has && !isClaimant(all, n.Path) {
		all = append(all, claimant{path: n.Path, id: n.ID})
	}
	for i, c := range all {
		first, err := r.firstCommit(c.path)
		if err != nil {
			return err
		}
		head, err := r.atHead(c.path)
		if err != nil {
			return err
		}
		all[i].born, all[i].had, all[i].has = first.Time, head != nil && head.ID.Fold() == key, has && c.path == n.Path
	}
	slices.SortFunc(all, older)
	keeper := all[0]
	r.fileAt(keeper.path).id = keeper.id
	for _, c := range all[1:] {
		if err := r.renumber(c.id, c.path, keeper); err != nil {
			return err
		}
	}
	return nil
}

// older orders claimants by rank, then by first commit, then by path.
func older(a, b claimant) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()), a.born.Compare(b.born), cmp.Compare(a.path, b.path))
}

// rank is smaller for one that has the id in HEAD, then for the one that the mirror leaves it
// to, then for one that is in a commit.
func (c claimant) rank() (n int) {
	for _, good := range [...]bool{c.had, c.has, !c.born.IsZero()} {
		n <<= 1
		if !good {
			n++
		}
	}
	return n
}

// firstCommit returns the first commit that touched the file; the zero value when none did.
func (r *reconciler) firstCommit(p vault.Path) (first vault.Revision, err error) {
	err = r.tx.History(r.ctx, []vault.Path{p}, func(rev vault.Revision) bool {
		first = rev
		return true
	})
	return first, err
}

// renumber gives the file at p another id, since keeper has the same one.
func (r *reconciler) renumber(id vault.ID, p vault.Path, keeper claimant) error {
	if !r.concerns(p) {
		return nil
	}
	new, err := r.newID(p, id)
	if err != nil {
		return err
	}
	on := r.fileAt(p)
	on.id, on.lost, on.named = new, []vault.ID{id}, true
	r.successions = append(r.successions, succession{id, new, true})
	r.knownMemory(new).touched = true
	r.remember(new, r.knownMemory(id).phrase)
	r.edits.Of(p).Adopt = true
	step := r.identify(p, new, id)
	r.edits.Add(p, step)
	d := Discrepancy{Type: DuplicateID, Child: id, ChildTitle: on.Title, Path: p, Detail: "the same id as " + string(keeper.path)}
	if doc, err := r.readSettled(p); err == nil {
		doc, _ = step.Apply(doc)
		d.Key = idKey(doc)
	}
	r.addDiscrepancy(d, "gave it the new id %s; %s keeps %s", new, keeper.path, keeper.id)
	return nil
}

// unseenID draws an id that no file has, nor gets in this pass.
func (r *reconciler) unseenID() (vault.ID, error) {
	for {
		id, err := r.tx.NewID(r.ctx)
		if err != nil || !r.knownMemory(id).seen {
			return id, err
		}
	}
}
