package facts

import (
	"github.com/cp-memory/cp/vault/tree"
)

// Verbs is the table of the room's verbs, for the lines of a batch.
func Verbs() []tree.Verb {
	return []tree.Verb{tree.Called(Add{}), tree.Called(Remove{})}
}

// Row is the outcome in a batch.
func (c Changed) Row() tree.BatchRow {
	return tree.BatchRow{ID: c.ID, Title: c.Title, Path: c.Path, Unchanged: c.Unchanged, Warnings: c.Warnings}
}
