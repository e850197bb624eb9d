package journal

import "github.com/cp-memory/cp/vault/tree"

// QueueVerbs is the table of the room's verbs, for the lines of a batch.
func QueueVerbs() []tree.Verb {
	return []tree.Verb{tree.NewVerb(Merge{})}
}

// Row is the outcome in a batch.
func (m Merged) Row() tree.BatchRow {
	return tree.BatchRow{ID: m.ID, Title: m.Title, Warnings: m.Warnings}
}
