package sync

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Read-only notes of the kinds that the settings list are files without an id to a pass: it
// adopts them as it adopts those, with the id under cp_id:, and adds the line to git's
// attributes that has their merges made by us.

// admits reports whether a node is that of a read-only note which becomes a memory. From then
// on the node has a stand-in for its id.
func (r *reconciler) admits(n *node) bool {
	if !n.ReadOnly() || !slices.Contains(r.kinds, header.NoteEnding(string(n.Path))) {
		return false
	}
	n.ID = vault.ProvisionalID(n.Path, func(id vault.ID) bool {
		other := r.knownMemory(id)
		return other.seen && other.stands != n.Path
	})
	if !slices.Contains(r.admitted, n.Path) {
		r.admitted = append(r.admitted, n.Path)
	}
	return true
}

// identify returns the step that gives the file at p the id in place of was.
func (r *reconciler) identify(p vault.Path, id, was vault.ID) vault.Step {
	step := r.tx.Identify(id, was)
	if kind := header.NoteEnding(string(p)); kind != "" {
		step.Key = header.OurID
		r.tx.Attribute(vault.MergeLine("*" + kind))
	}
	return step
}
