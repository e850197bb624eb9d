package sync

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/converge"
	"github.com/cp-memory/cp/vault/tree"
)

// Syncer is a vault with what its repository knows of merges.
type Syncer struct {
	*vault.Vault
	Merges    Merges      // nil without git
	Conflicts Conflicts   // nil without git
	Ejected   func() bool // whether eject took ids and pointers out of the files: a pass puts none in again. A pull may bring that; nil is no
	Refused   error       // why a repository cannot be asked what it holds; nil where it can, or is none

	// Unwanted reports whether a file is not to be adopted, by its name; nil is none.
	Unwanted func(vault.Path) bool

	// Extensions are the kinds of read-only notes of which memories are made, as ".mdc".
	Extensions []string
}

// Options say what is to be reconciled. The zero value is all of it.
type Options struct {
	Parent string // only this parent; empty means all
	DryRun bool   `flag:"dry-run" help:"report, change nothing"`
	Force  bool   `flag:"force" help:"also when a large part of the vault would go at once"`

	Restyle bool `flag:"restyle" help:"write existing pointer blocks in the style that .cp/vault.yaml sets"`

	KeepFolders bool `flag:"keep-folders" help:"leave the folder of a file that was moved without it"` // what is in it becomes a root
	KeepLinks   bool `flag:"keep-links" help:"name the links that break, and leave them"`
	NoAdopt     bool `flag:"no-adopt" help:"leave alone files that are in no commit"`
	AllowSecret bool // commit also what looks like a credential
}

// Types of discrepancies. They are promises: add, never change.
const (
	MissingPointer  = "missing_pointer"
	StalePointer    = "stale_pointer"
	EdgeMismatch    = "edge_mismatch"
	TitleMismatch   = "title_mismatch"
	OrphanedMemory  = converge.OrphanedMemory
	DuplicatePtr    = "duplicate_pointer"
	DuplicateID     = "duplicate_id"
	InvalidBlock    = "invalid_block"
	BlockStyle      = "block_style"     // with Restyle: a block is hidden and is to be visible, or the other way round
	FormattedBlock  = "formatted_block" // a program that formats Markdown has rewritten words in a block
	CycleFound      = converge.CycleFound
	ConflictMarkers = converge.ConflictMarkers
	ReturnedFile    = converge.ReturnedFile
	SharedPath      = converge.SharedPath
	NewFile         = "new_file" // a hand-made file to be adopted
	MovedFile       = converge.MovedFile
	DeletedFile     = converge.DeletedFile
	ChangedID       = "changed_id"    // the id line was edited by hand
	UnknownFacts    = "unknown_facts" // git's files lack the lines about facts, and there are some
	StrayFacts      = "stray_facts"   // facts without their memory: it has another id, or is gone
)

// FirstCommit is the Detail of a NewFile whose text no commit held before.
const FirstCommit = "committed for the first time, with all of its text"

// What converge decides on is told as the rest is.
type (
	Discrepancy = converge.Discrepancy
	Conflict    = converge.Conflict
	Merge       = converge.Merge
	Replay      = converge.Replay
)

// Synced is the outcome of Sync.
type Synced struct {
	ParentsChecked int               `json:"parents_checked"`
	Discrepancies  []Discrepancy     `json:"discrepancies"`
	Conflicts      []Conflict        `json:"conflicts"` // values that gave way in merges
	Fixed          bool              `json:"fixed"`
	Ejected        bool              `json:"ejected,omitempty"` // eject has taken the ids out: nothing was looked at
	Report         vault.Report      `json:"index"`
	Problems       []vault.Problem   `json:"problems"`
	Left           []Left            `json:"left"`                // what somebody should mend
	Delivered      []vault.Delivered `json:"delivered,omitempty"` // from the outbox
	vault.Warned

	tree.LinksMoved // of the moves that a person has made

	again    bool                  // what the pass committed as it is waits for another one
	spared   []vault.Problem       // among Problems: those that the pass found itself
	concerns func(vault.Path) bool // whether the pass took up a file; nil for every one

	quiet bool // there was nothing to do, nothing wrong and nothing left alone
}

// Sync compares the files with HEAD, with the pointer blocks and with the mirror, and
// settles the differences that a person's hand or a merge left in one commit.
//
// The disk decides the structure: files made, moved and deleted by hand are taken over. Of
// a committed file's text it commits only its own edits: an id, a phrase, a block. A case
// that it cannot settle without guessing is reported with path and line. A second run finds
// nothing to do.
func (v *Syncer) Sync(ctx context.Context, o Options) (Synced, error) {
	out, err := v.sync(ctx, o)
	if err == nil {
		out.markLeft()
	}
	return out, err
}

func (v *Syncer) sync(ctx context.Context, o Options) (out Synced, err error) {
	if v.Refused != nil {
		return out, v.Refused
	}
	if v.IsEjected() {
		return nothingTakenUp(), nil
	}
	if conflicts, err := v.listUnmerged(ctx); err != nil {
		return out, err
	} else if len(conflicts) > 0 {
		return v.resolveMerge(ctx, conflicts, o)
	}
	first := Synced{Discrepancies: []Discrepancy{}}
	if !o.DryRun {
		if first.Delivered, err = v.Deliver(ctx); err != nil {
			return Synced{}, err
		}
	}
	if err = v.converge(ctx, o, &first); err != nil {
		return Synced{Delivered: first.Delivered}, err
	}
	out, receipt, err := v.reconcile(ctx, o)
	for n := 0; err == nil && out.again && receipt.Commit != "" && n < vault.MaxDepth; n++ {
		first.Fixed = true
		first.Discrepancies = append(first.Discrepancies, out.Discrepancies...)
		first.Warnings = slices.Concat(first.Warnings, out.Warnings, receipt.Notes)
		out, receipt, err = v.reconcile(ctx, o)
	}
	v.agree(ctx, o, &out)
	if err == nil && !o.DryRun {
		err = v.markMerges(ctx, o)
	}
	if err != nil {
		return Synced{Delivered: first.Delivered}, err
	}
	out.Delivered, out.Fixed = first.Delivered, first.Fixed || receipt.Commit != ""
	out.Discrepancies = append(first.Discrepancies, out.Discrepancies...)
	out.Conflicts = converge.WithoutRepeats(append(first.Conflicts, out.Conflicts...))
	out.Warnings = slices.Concat(first.Warnings, out.Warnings, receipt.Notes)
	if out.Fixed {
		left, err := v.Mirror.Problems(ctx)
		out.Problems = append(append([]vault.Problem{}, left...), out.spared...) // [] in JSON, never null
		return out, err
	}
	return out, nil
}

// doVerb does what [vault.Do] does. A dry run does not ask whether the repository would take a
// commit.
func doVerb[R any](ctx context.Context, v *Syncer, o Options, verb vault.Verb[R]) (out R, receipt vault.Receipt, err error) {
	if o.DryRun {
		out, err = vault.Preview(ctx, v.Vault, verb)
		return out, receipt, err
	}
	return vault.Do(ctx, v.Vault, verb, vault.Options{})
}

// Survey returns what the pass over files and blocks would put right and report, however
// much that is. It changes nothing, and looks at no merge. Where the repository cannot be
// asked, it calls no file new.
func (v *Syncer) Survey(ctx context.Context) (Synced, error) {
	if v.IsEjected() {
		return nothingTakenUp(), nil
	}
	o := Options{DryRun: true, Force: true}
	out, _, err := v.reconcile(ctx, o)
	if v.Refused != nil {
		out.Discrepancies = slices.DeleteFunc(out.Discrepancies, func(d Discrepancy) bool { return d.Type == NewFile })
	}
	v.agree(ctx, o, &out)
	return out, err
}

// WithoutRepeats returns each value that gave way once, by path.
func WithoutRepeats(all []Conflict) []Conflict { return converge.WithoutRepeats(all) }

// OnlyPointers reports whether two texts differ in their pointer blocks alone. Where one side
// of a merge deleted such a file, a pass deletes it.
func OnlyPointers(a, b []byte) bool { return converge.OnlyPointers(a, b) }
