package graph

import (
	"github.com/cp-memory/cp/vault/tree"
)

// FactVerbs is the table of the room's verbs, for the lines of a batch.
func FactVerbs() []tree.Verb {
	return []tree.Verb{tree.NewVerb(AddFacts{}), tree.NewVerb(RemoveFacts{})}
}

// Row is the outcome in a batch.
func (c FactsChanged) Row() tree.BatchRow {
	return tree.BatchRow{ID: c.ID, Title: c.Title, Path: c.Path, Unchanged: c.Unchanged, Warnings: c.Warnings}
}
