package knowledge

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/tree"
)

// Complete tells of a memory that is shown whether its facts are those of its text, and with
// version how many versions its record has had.
func (r Room) Complete(ctx context.Context, m *tree.Shown, version bool) (err error) {
	if m.Type != vault.TypeMemory || m.New {
		return nil
	}
	told, status, err := graph.AskFacts(ctx, r.Vault, m.ID, m.Path, r.Settings.Facts.Auto)
	m.Facts, m.FactsStatus = told, string(status)
	if err == nil && version {
		m.Version, err = r.History().Version(ctx, string(m.ID))
	}
	return err
}
