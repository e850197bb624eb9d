package graph

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/tree"
)

// FactStatus says whether the facts of a memory are those of its text. It is computed when it is
// asked for, and never stored.
type FactStatus string

// The statuses of facts.
const (
	FactsComplete FactStatus = "complete"
	Pending       FactStatus = "pending" // the user wants all drawn, and they are missing, only by hand, or stale
)

// digits is how much of a doc hash a facts file names.
const digits = 12

// SourceHash returns what a facts file drawn from the memory says in its key of.
func SourceHash(m *vault.Memory) string { return tree.HashOf(m)[:digits] }

// IsDrawn reports whether a model has drawn facts, of which nil is none, and whether the text
// with the hash of is another one than theirs.
func IsDrawn(f *fact.Facts, of string) (drawn, stale bool) {
	drawn = f != nil && f.By != ""
	return drawn, drawn && f.Of != of
}

// FactStatusOf returns the status of facts, of which nil is none, for a text with the hash of.
// auto says that the user wants the facts of each memory drawn.
func FactStatusOf(f *fact.Facts, of string, auto bool) FactStatus {
	if drawn, stale := IsDrawn(f, of); auto && (!drawn || stale) {
		return Pending
	}
	return FactsComplete
}
