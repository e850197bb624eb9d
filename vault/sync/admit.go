package sync

import "github.com/cp-memory/cp/vault"

// admit adds to git's files what a vault with facts needs there, where a vault that was made
// before there were facts has got some: by hand, or by a merge.
func (r *reconciler) admit() error {
	if r.o.Parent != "" {
		return nil
	}
	there, err := r.tx.Look(r.ctx, vault.FactsDir)
	if err != nil || !there.File {
		return err
	}
	missing, err := r.tx.AdmitFacts(r.ctx)
	if missing {
		r.addDiscrepancy(Discrepancy{Type: UnknownFacts, Path: vault.FactsDir}, "added what git needs for facts to %s and %s", vault.IgnoreFile, vault.AttributesFile)
	}
	return err
}
