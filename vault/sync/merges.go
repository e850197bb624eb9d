package sync

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Merge is a merge of two commits, whoever made it.
type Merge struct {
	Commit string
	Base   string    // the best common ancestor; empty without one
	Sides  [2]string // its parents
	Ours   bool      // a command of ours made it, and no person
	New    bool      // where none was marked before: it is younger than this clone
}

// Merges is the past of a vault as far as merges made it.
type Merges interface {
	// Made returns the merges in HEAD's history that nobody has put right yet (see
	// [Change], Settles), the oldest first, since the last one that was marked; first
	// says that none was, and then it returns the latest.
	Made(ctx context.Context) (all []Merge, first bool, err error)

	// Mark remembers that the merges up to a commit have been looked at.
	Mark(ctx context.Context, commit string) error

	// Texts returns the texts of those of the paths that a commit has; an empty
	// commit has none.
	Texts(ctx context.Context, commit string, paths []vault.Path) (map[vault.Path][]byte, error)

	// Others returns the blob ids of what a commit has below the folders that is
	// no memory: images and the like.
	Others(ctx context.Context, commit string, folders []vault.Path) (map[vault.Path]string, error)

	// Replay merges two commits once more, as git does it by itself, and changes
	// nothing. text returns what it makes of a path, nil where that is nothing; it is
	// nil with a git that cannot.
	Replay(ctx context.Context, a, b string, how Replay) (text func(vault.Path) ([]byte, error), err error)

	// Arrived returns the commit between base and tip that brought the file p.
	Arrived(ctx context.Context, base, tip string, p vault.Path) (vault.Revision, error)
}

// Replay is how git writes what it cannot merge, where it merges once more.
type Replay string

// The forms of a conflict that git knows, its driver that keeps both sides, and one
// that in place of the text writes what git gives to a driver: the sizes of the base's
// version, ours and theirs, a line each, and behind them these versions.
const (
	ReplayMerge    Replay = "merge"
	ReplayDiff3    Replay = "diff3"
	ReplayZdiff3   Replay = "zdiff3"
	ReplayUnion    Replay = "union"
	ReplayVersions Replay = "versions"
)

// Conflicted is a file that a merge under way left in several versions; one
// that there is not is nil.
type Conflicted struct {
	Path               vault.Path
	Base, Ours, Theirs []byte
}

// Conflicts are those of a merge, rebase or the like that is under way.
type Conflicts interface {
	// Unmerged lists the vault's files with conflicts, in path order.
	Unmerged(ctx context.Context) ([]Conflicted, error)

	// Joined returns the commits that are being joined: HEAD, and the other one, empty
	// where that is none that git names.
	Joined(ctx context.Context) (sides [2]string, err error)

	// Rewrite puts text in the place of was, on disk only; the replaced file is
	// kept for a week. It reports false when the file says something else by now.
	Rewrite(ctx context.Context, p vault.Path, was, text []byte) (bool, error)
}
