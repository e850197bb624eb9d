package sync

import "github.com/cp-memory/cp/vault"

// agreed reports whether an earlier pass found nothing to do on what is there,
// and nothing wrong with it.
func (r *reconciler) agreed() (bool, error) {
	a := r.v.Mirror.Agreement
	if a == nil || r.only != nil || !r.out.Report.Complete {
		return false, nil
	}
	parents, ok, err := a.Agreed(r.ctx)
	if ok {
		r.out.ParentsChecked = parents
	}
	return ok, err
}

// agree remembers that the pass found nothing to do: nothing at all, since what
// it leaves alone for a setting of git's may be another one tomorrow.
// That it cannot be remembered costs the next pass its time, and nothing else.
func (r *reconciler) agree(c *vault.Change) {
	a := r.v.Mirror.Agreement
	quiet := len(r.out.Discrepancies)+len(r.out.Problems)+len(r.out.Warnings)+len(r.out.spared)+len(r.drift)+len(c.Edits)+len(c.Gone) == 0
	if a == nil || !quiet || r.only != nil || !r.out.Report.Complete || r.out.Report.Changed+r.out.Report.Removed > 0 || r.out.Report.Rebuilt {
		return
	}
	_ = a.Agree(r.ctx, r.out.Report.Generation, r.out.ParentsChecked)
}
