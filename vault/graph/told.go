package graph

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

// ToldFacts returns what a memory speaks of, as its facts file says it; nil if there is none. The
// error is CodeDamaged for a file that is no facts file, or is another memory's.
func ToldFacts(ctx context.Context, v *vault.Vault, id vault.ID) (*fact.Told, error) {
	text, err := v.Reading().Facts(ctx, vault.FactsPath(id))
	if err != nil || text == nil {
		return nil, err
	}
	f, err := ReadFacts(id, text)
	if err != nil {
		return nil, err
	}
	return f.LiveFacts(), nil
}

// AskFacts returns what the memory with an id speaks of, whose file is at p, and the status of its
// facts. Both are empty for one without facts, unless auto says that the user wants them drawn:
// then it has a status; and for facts that cannot be read. It asks no index.
func AskFacts(ctx context.Context, v *vault.Vault, id vault.ID, p vault.Path, auto bool) (told *fact.Told, status FactStatus, err error) {
	text, err := v.Reading().Facts(ctx, vault.FactsPath(id))
	if err != nil || text == nil && !auto {
		return nil, "", err
	}
	f, err := ReadFacts(id, text)
	if err != nil {
		return nil, "", nil // sync tells of it
	}
	doc, _, err := v.Store.Read(p)
	if err != nil {
		return nil, "", err
	}
	if text != nil {
		told = f.LiveFacts()
	}
	return told, FactStatusOf(f, SourceHash(vault.Parse(p, doc)), auto), nil
}
