package facts

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

// Told returns what a memory speaks of, as its facts file says it; nil if there is none. The
// error is that of a file which cannot be read, or is another memory's.
func Told(ctx context.Context, v *vault.Vault, id vault.ID) (*fact.Told, error) {
	text, err := v.Reading().Facts(ctx, vault.FactsPath(id))
	if err != nil || text == nil {
		return nil, err
	}
	return fact.Tell(text, string(id))
}
