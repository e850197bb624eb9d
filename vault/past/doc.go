// Package past tells what a vault was, and takes back what was done to it.
//
// The repository keeps every version of every memory ([Archive]). [History.Log]
// lists the commits, of the vault or of one memory through all its moves;
// [History.Diff] compares a memory with an earlier version, [History.Blame] says
// who wrote which line, and [History.Changes] what an agent has to read again.
//
// Two verbs bring something back. [History.Restore] gives a memory an earlier
// text, or makes a deleted one again with the pointer to it. [History.Undo] takes
// whole operations back, each with all its files, all of them by one commit. Later
// work is never lost: where taking something back would cost it, both refuse and
// say what to do first.
//
// [History.Eject] takes out of all files what the program has written there for itself: the
// notes are then what they were before it came.
//
// Only commits of this program can be undone, since only they say what they did
// ([vault.Revision]); a version can be restored from any commit.
//
//	h := &past.History{Vault: v, Archive: archive}
//	rows, err := h.Log(ctx, past.Log{Ref: "pf-7k2m9qx4"}) // newest first
//	out, err := h.Restore(ctx, past.Restore{Ref: "pf-7k2m9qx4", Rev: rows[1].Commit})
package past

import "github.com/cp-memory/cp/vault"

// History is a vault together with its past.
type History struct {
	*vault.Vault
	Archive *Archive // nil without git
	Why     error    // why there is none, though there is a repository; may be nil

	Within func(file string) string // the vault's path of a file that was named from where one is, empty for none; may be nil

	// Sections returns what an undo makes of the files of agents, where the operation made one
	// memory of another, or took it away: made is then nil; may be nil.
	Sections func(was, made *vault.Memory) ([]vault.Section, error)
}
