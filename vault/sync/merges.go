package sync

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Merges is the past of a vault as far as merges made it.
type Merges interface {
	// ListMerges returns the merges in HEAD's history since the last marked one that nobody has
	// put right yet (see [Change], Settles), the oldest first. first says that none is
	// marked; then it returns only the latest merge.
	ListMerges(ctx context.Context) (all []Merge, first bool, err error)

	// Mark remembers that the merges up to a commit have been looked at.
	Mark(ctx context.Context, commit string) error

	// Texts returns the texts that a commit has at the paths. An empty commit has none.
	Texts(ctx context.Context, commit string, paths []vault.Path) (map[vault.Path][]byte, error)

	// Others returns the blob ids of the files below the folders, in a commit, that are no
	// memories: images and the like.
	Others(ctx context.Context, commit string, folders []vault.Path) (map[vault.Path]string, error)

	// Replay says how git writes a conflict when it merges once more.
	Replay(ctx context.Context, a, b string, how Replay) (text func(vault.Path) ([]byte, error), err error)

	// FindArrival returns the commit between base and tip that brought the file p.
	FindArrival(ctx context.Context, base, tip string, p vault.Path) (vault.Revision, error)
}

// Conflicted is a file that a merge under way left in several versions. A missing version
// is nil.
type Conflicted struct {
	Path               vault.Path
	Base, Ours, Theirs []byte
}

// Conflicts gives the conflicts of a merge, rebase or the like that is under way.
type Conflicts interface {
	// ListUnmerged lists the vault's files with conflicts, in path order.
	ListUnmerged(ctx context.Context) ([]Conflicted, error)

	// FindSides returns the commits that are being joined: HEAD and the other one, which is
	// empty if git names none.
	FindSides(ctx context.Context) (sides [2]string, err error)

	// Rewrite replaces the text was by text, on disk only; the replaced file is kept for a
	// week. It returns false if the file holds another text by now.
	Rewrite(ctx context.Context, p vault.Path, was, text []byte) (bool, error)
}
