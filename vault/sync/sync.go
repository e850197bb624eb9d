package sync

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Syncer is a vault with what its repository knows of merges.
type Syncer struct {
	*vault.Vault
	Merges    Merges    // nil without git
	Conflicts Conflicts // nil without git
}

// Options say what is to be reconciled. The zero value is all of it.
type Options struct {
	Parent string // only this parent; empty means all
	DryRun bool
	Force  bool // also when many memories would go at once

	NoAdopt     bool // leave alone what is in no commit
	AllowSecret bool // commit also what looks like a credential
}

// Types of discrepancies. They are promises: add, never change.
const (
	MissingPointer  = "missing_pointer"
	StalePointer    = "stale_pointer"
	EdgeMismatch    = "edge_mismatch"
	TitleMismatch   = "title_mismatch"
	OrphanedMemory  = "orphaned_memory"
	DuplicatePtr    = "duplicate_pointer"
	DuplicateID     = "duplicate_id"
	InvalidBlock    = "invalid_block"
	CycleFound      = "cycle"
	ConflictMarkers = "conflict_markers"
	NewFile         = "new_file"      // a hand-made file to be adopted
	MovedFile       = "moved_file"    // moved by hand, or in two directions at once
	DeletedFile     = "deleted_file"  // deleted by hand
	ChangedID       = "changed_id"    // the id line was edited by hand
	ReturnedFile    = "returned_file" // deleted on one side of a merge, edited on the other
	SharedPath      = "shared_path"   // two memories that were made at one path
)

// FirstCommit is the Detail of a NewFile whose text no commit held before.
const FirstCommit = "committed for the first time, with all of its text"

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
	Fixed       string     `json:"-"` // what was done, in words; empty when nothing was
}

// Synced is the outcome of Sync.
type Synced struct {
	ParentsChecked int               `json:"parents_checked"`
	Discrepancies  []Discrepancy     `json:"discrepancies"`
	Conflicts      []Conflict        `json:"conflicts"` // values that gave way in merges
	Fixed          bool              `json:"fixed"`
	Report         vault.Report      `json:"index"`
	Problems       []vault.Problem   `json:"problems"`
	Delivered      []vault.Delivered `json:"delivered,omitempty"` // from the outbox
	Warnings       []string          `json:"-"`

	again  bool            // what the pass committed as it is waits for another one
	spared []vault.Problem // among Problems: those that the pass found itself
}

// Sync compares the files with HEAD, with the pointer blocks and with the
// mirror, and settles in one commit what a person's hand or a merge left apart.
//
// The disk decides the structure: files made, moved and deleted by hand are
// taken over as they stand. Of the text of a committed file it commits nothing
// but its own edits: an id, a phrase, a block. What it cannot settle without
// guessing it reports with path and line. A second run finds nothing to do.
func (v *Syncer) Sync(ctx context.Context, o Options) (Synced, error) {
	var out Synced
	plan := func(ctx context.Context, t vault.Tree) (*vault.Change, error) { return v.planSync(ctx, t, o, &out) }
	if conflicts, err := v.unmerged(ctx); err != nil || len(conflicts) > 0 {
		if err == nil {
			out, err = v.settleConflicts(ctx, conflicts, o)
		}
		return out, err
	}
	merged := Synced{Discrepancies: []Discrepancy{}}
	if o.DryRun {
		if err := v.settleMerges(ctx, o, &merged); err != nil {
			return Synced{}, err
		}
		err := v.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error {
			_, err := plan(ctx, t)
			return err
		})
		out.add(merged)
		return out, err
	}
	delivered, err := v.Deliver(ctx)
	if err != nil {
		return Synced{}, err
	}
	if err := v.settleMerges(ctx, o, &merged); err != nil {
		return Synced{Delivered: delivered}, err
	}
	receipt, err := v.Update(ctx, "sync", vault.Scope{None: true}, plan)
	if err == nil && out.again && receipt.Commit != "" {
		merged.Fixed = true
		merged.Discrepancies = append(merged.Discrepancies, out.Discrepancies...)
		merged.Warnings = append(append(merged.Warnings, out.Warnings...), receipt.Notes...)
		receipt, err = v.Update(ctx, "sync", vault.Scope{None: true}, plan)
	}
	if err == nil {
		err = v.markMerges(ctx, o)
	}
	if err != nil {
		return Synced{Delivered: delivered}, err
	}
	out.Delivered, out.Fixed = delivered, merged.Fixed || receipt.Commit != ""
	out.add(merged)
	out.Warnings = append(append(merged.Warnings, out.Warnings...), receipt.Notes...)
	if out.Fixed {
		left, err := v.Mirror.Problems(ctx)
		out.Problems = append(append([]vault.Problem{}, left...), out.spared...)
		return out, err
	}
	return out, nil
}

// Survey hands fn what the pass over files and blocks would settle and report, and
// the tree as it is then. It changes nothing, and looks at no merge.
func (v *Syncer) Survey(ctx context.Context, fn func(vault.Tree, Synced) error) error {
	return v.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error {
		var found Synced
		if _, err := v.planSync(ctx, t, Options{DryRun: true, Force: true, AllowSecret: true}, &found); err != nil {
			return err
		}
		return fn(t, found)
	})
}

// add puts before what the pass found what it found in merges.
func (out *Synced) add(merged Synced) {
	out.Discrepancies = append(merged.Discrepancies, out.Discrepancies...)
	out.Conflicts = Unrepeated(append(merged.Conflicts, out.Conflicts...))
}
