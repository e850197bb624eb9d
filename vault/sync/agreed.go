package sync

import "context"

// isAgreed reports whether an earlier pass found nothing to do on what is there,
// and nothing wrong with it.
func (p pass) isAgreed(ctx context.Context, out *Synced) (bool, error) {
	if p.Mirror.Agreement == nil || p.Restyle || p.Parent != "" || !out.Report.Complete {
		return false, nil
	}
	parents, ok, err := p.Mirror.FindAgreement(ctx)
	if ok {
		out.ParentsChecked = parents
	}
	return ok, err
}

// agree remembers that a pass found nothing to do: nothing at all, since what
// it leaves alone for a setting of git's may be another one tomorrow.
// That it cannot be remembered costs the next pass its time, and nothing else.
func (v *Syncer) agree(ctx context.Context, o Options, out *Synced) {
	seen := out.Report
	if v.Mirror.Agreement == nil || !out.quiet || o.Parent != "" || !seen.Complete || seen.Changed+seen.Removed > 0 || seen.Rebuilt {
		return
	}
	_ = v.Mirror.Agree(ctx, seen.Generation, out.ParentsChecked)
}
