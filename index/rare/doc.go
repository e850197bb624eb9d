// Package rare finds which terms of a text are the rarest ones in the full-text index. Two
// texts that say nearly the same share them, and few other texts hold them.
//
// It never counts all rows of a common term, so its cost does not grow with the vault.
//
//	var f rare.Finder
//	terms, err := f.Terms(t, "the allocation of Nomad", false) // nomad, alloc
package rare
