package converge

import "github.com/cp-memory/cp/vault"

// Types of discrepancies. They are promises: add, never change.
const (
	OrphanedMemory  = "orphaned_memory"
	CycleFound      = "cycle"
	ConflictMarkers = "conflict_markers"
	MovedFile       = "moved_file"    // moved by hand, or in two directions at once
	DeletedFile     = "deleted_file"  // deleted by hand
	ReturnedFile    = "returned_file" // deleted on one side of a merge, edited on the other
	SharedPath      = "shared_path"   // two memories that were made at one path
)

// Discrepancy is one disagreement between the files, HEAD, the pointer blocks and the
// mirror.
type Discrepancy struct {
	Parent      vault.ID   `json:"parent,omitempty"`
	ParentTitle string     `json:"-"`
	Type        string     `json:"type"`
	Child       vault.ID   `json:"child,omitempty"`
	ChildTitle  string     `json:"child_title,omitempty"`
	Path        vault.Path `json:"path,omitempty"`
	Detail      string     `json:"detail,omitempty"`
	Key         string     `json:"key,omitempty"`         // cp_id where the id is written there, since the file has an id: line of its own
	New         bool       `json:"provisional,omitempty"` // the child or the parent has no id of its own yet
	Aside       bool       `json:"-"`                     // it is left by design: its file is
	Fixed       string     `json:"-"`                     // what was done, in words; empty when nothing was
}
