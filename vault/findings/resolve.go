package findings

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// Resolve closes a finding, and keeps how it ended.
type Resolve struct{ journal.Resolve }

// Do closes the finding in one commit.
func (o Resolve) Do(ctx context.Context, v *vault.Vault) (journal.Resolved, error) {
	return vault.Run(ctx, v, o, vault.Options{AllowSecret: o.AllowSecret})
}

// Plan closes the memory as [journal.Resolve] does. The error is CodeType for what is no finding.
func (o Resolve) Plan(ctx context.Context, tx *vault.Tx) (journal.Resolved, error) {
	d, err := tx.Open(ctx, o.Ref)
	if err != nil {
		return journal.Resolved{}, err
	}
	if d.Mem.Type != string(header.Finding) {
		return journal.Resolved{}, vault.Errorf(vault.CodeType, "`cp memory resolve` closes any memory", "%s is no finding but of type '%s'", d.ID, d.Mem.Type)
	}
	return o.Resolve.Plan(ctx, tx)
}
