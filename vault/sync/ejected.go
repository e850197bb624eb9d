package sync

import "github.com/cp-memory/cp/vault"

// IsEjected reports whether eject has taken the ids out of the vault.
func (v *Syncer) IsEjected() bool { return v.Ejected != nil && v.Ejected() }

// nothingTakenUp is the outcome of a pass over a vault from which the ids were taken: it would
// write all of them anew.
func nothingTakenUp() Synced {
	out := Synced{Ejected: true, Discrepancies: []Discrepancy{}, Conflicts: []Conflict{}, Problems: []vault.Problem{}, Left: []Left{}}
	out.Warn("`cp memory eject` has taken ids and pointers out of this vault, so sync leaves its files alone. To have them again, take the line \"adopt: ejected\" out of " + string(vault.MarkerFile) + " and sync, or take the eject back: cp memory undo")
	return out
}
