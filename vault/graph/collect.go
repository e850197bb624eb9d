package graph

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// CollectFacts takes away the facts files whose memory is gone. Untracked facts have no memory, and
// stay.
type CollectFacts struct {
	DryRun bool // only say what would go
}

// FactsCollected is the outcome of [CollectFacts].
type FactsCollected struct {
	Facts []vault.ID `json:"facts"` // the memories whose facts go
	vault.Warned
}

// Do takes the files away in one commit.
func (o CollectFacts) Do(ctx context.Context, v *vault.Vault) (FactsCollected, error) {
	if o.DryRun {
		return vault.Preview(ctx, v, o)
	}
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o CollectFacts) Name() string { return "gc" }

// Plan plans the removal of the files. Where a part of the vault could not be read nothing is
// taken for gone.
func (o CollectFacts) Plan(ctx context.Context, tx *vault.Tx) (out FactsCollected, err error) {
	report, err := tx.CatchUp(ctx, vault.Scope{Each: true})
	out.Facts = []vault.ID{}
	switch {
	case err != nil:
		return out, err
	case !report.Complete:
		out.Warnings = append(out.Warnings, "a part of the vault cannot be read, so no facts are taken for those of a memory that is gone")
		return out, nil
	}
	strays, err := StrayFacts(ctx, tx)
	if err != nil {
		return out, err
	}
	gone, err := ForgetFacts(ctx, tx, strays)
	out.Facts = append(out.Facts, gone...)
	return out, err
}
