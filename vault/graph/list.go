package graph

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

// FactList are the facts of one memory.
type FactList struct {
	ID        vault.ID        `json:"id"`
	Title     string          `json:"title"`
	Status    FactStatus      `json:"facts_status"`
	Stale     bool            `json:"stale,omitempty"` // the text has changed since they were drawn
	By        string          `json:"by,omitempty"`    // the model that drew them
	Entities  []fact.Entity   `json:"entities"`
	Relations []fact.Relation `json:"relations"`
}

// ListFacts returns the facts of a memory that hold. auto says that the user wants the facts of
// each memory drawn. The error is CodeDamaged for a facts file that cannot be read.
func ListFacts(ctx context.Context, v *vault.Vault, ref string, auto bool) (FactList, error) {
	tx := v.Reading()
	d, err := tx.OpenMemory(ctx, ref)
	if err != nil {
		return FactList{}, err
	}
	text, err := tx.Facts(ctx, vault.FactsPath(d.ID))
	if err != nil {
		return FactList{}, err
	}
	f, err := ReadFacts(d.ID, text)
	if err != nil {
		return FactList{}, err
	}
	entities, relations := f.Live()
	_, stale := IsDrawn(f, SourceHash(d.Mem))
	out := FactList{ID: d.ID, Title: d.Mem.Title, Status: FactStatusOf(f, SourceHash(d.Mem), auto), Stale: stale, By: f.By,
		Entities: append([]fact.Entity{}, entities...), Relations: append([]fact.Relation{}, relations...)}
	return out, nil
}
