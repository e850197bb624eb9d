package worktree

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault/converge"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/remake"
	"github.com/cp-memory/cp/vault/past"
)

// Repo is the git repository behind a vault, as ports of what the vault needs
// of it. One value may stand behind all of them. Paths are relative to the top
// of the work tree, prefix is the vault's folder in it, and state is a folder
// for the repository's own notes.
type Repo struct {
	Folders
	Branch
	Publisher
	remake.Takebacks
	Status
	Contents
	Trail
	Search
	Joins
}

// Folders tell where the repository is. All are absolute; GitDir and CommonDir
// differ in linked work trees.
type Folders interface {
	Top() string
	GitDir() string
	CommonDir() string
}

// Branch tells where HEAD is and what its history holds.
type Branch interface {
	Head(ctx context.Context) (vault.Head, error)
	Tip(ctx context.Context) (string, error)
	Committing() bool // a person's git commit is under way, which fails if HEAD moves

	// Holds reports whether a commit of the operation is in HEAD's history,
	// Includes whether a commit's history holds another commit.
	Holds(ctx context.Context, op, state string) (bool, error)
	Includes(ctx context.Context, descendant, ancestor string) (bool, error)
}

// Publisher records writes.
type Publisher interface {
	// Publish records edits on HEAD's tree and on the index, and never touches
	// the files of the work tree. Publishing an Op again changes nothing.
	Publish(ctx context.Context, c vault.Commit, state string) (vault.Published, error)

	// Rehearse returns why a commit could not be published, and changes nothing that anybody
	// sees. One without a Join only a conversion can hinder: MayRefuse reports whether there
	// is one for any of the paths. The error with CodeFilter joins one for each file.
	Rehearse(ctx context.Context, c vault.Commit) error
	MayRefuse(ctx context.Context, paths []string) (bool, error)

	// Recover removes what a killed Publish left behind. Blocked returns why
	// Publish would have to wait then: a lock of another program's.
	Recover(ctx context.Context, state string) error
	CheckLocks(ctx context.Context) error
}

// Status compares files with HEAD and the index.
type Status interface {
	// Versions calls fn with what a commit and the index have of each path.
	Versions(ctx context.Context, commit string, paths []string, fn func(i int, committed, staged []byte) error) error

	// Excludes returns the texts of git's ignore files outside of the work tree, the
	// weakest first, and whether case does not count.
	Excludes(ctx context.Context) (fold bool, texts [][]byte, err error)

	// AskTracked returns a question: whether the index or HEAD hold a file of that name, or
	// a folder with such a file. done ends it.
	AskTracked(ctx context.Context) (has func(name string, folder bool) bool, done func())

	// LeftOut and Staged return those of the paths that a sparse checkout leaves out,
	// and that a person has staged.
	LeftOut(ctx context.Context, paths []string) ([]string, error)
	PickStaged(ctx context.Context, paths []string) ([]string, error)

	// BlobID returns git's object id of b as a blob.
	BlobID(b []byte) string
}

// Contents read what commits, trees and blobs hold.
type Contents interface {
	ReadAt(ctx context.Context, commit, path string) ([]byte, error)
	Changes(ctx context.Context, from, to, prefix string, fn func(path, blob string) error) error

	// Texts opens blobs as files at the paths would hold them.
	Texts(ctx context.Context, paths []string) (text func(ctx context.Context, path, id string) ([]byte, error), done func(), err error)

	// TextsAt calls fn for those of the paths that a commit or a tree has.
	TextsAt(ctx context.Context, commit string, paths []string, fn func(path string, text []byte) error) error

	// FilesAt calls fn for each file that a commit has below the folders.
	FilesAt(ctx context.Context, commit string, folders []string, fn func(path, blob string)) error
}

// Trail follows paths through commits.
type Trail interface {
	Arrivals(ctx context.Context, from, to, prefix string, fn func(a vault.Arrival, was, path string) (more bool)) (follows bool, err error)
	EachTouched(ctx context.Context, from, to, prefix string, fn func(status byte, was, now, blob string)) error
	FindFormerName(ctx context.Context, from, to, prefix, file string) (was string, err error)
	History(ctx context.Context, paths []string, fn func(vault.Revision) bool) error
	Log(ctx context.Context, q past.LogQuery, prefix, file string, fn func(vault.Revision) bool) error
	FindArrival(ctx context.Context, base, tip, path string) (vault.Revision, error)
}

// Search finds commits, and files and lines in them.
type Search interface {
	Resolve(ctx context.Context, rev string) (string, error)
	Before(ctx context.Context, t time.Time) (string, error)
	Seek(ctx context.Context, commit, id, prefix string) ([]string, error)
	EachRemoved(ctx context.Context, from, prefix string, fn func(commit, name string, text []byte) bool) error
	Diff(ctx context.Context, commit, was, now string) (string, error)
	Blame(ctx context.Context, name string) ([]past.BlameRow, error)
}

// Joins tell how commits are joined: by merges made and by one under way.
type Joins interface {
	Parent(ctx context.Context, commit string) (string, error)
	Merges(ctx context.Context, since string) ([]converge.Merge, error)
	Replay(ctx context.Context, a, b string, how converge.Replay) (vault.Merged, error)
	FindSides(ctx context.Context) (sides [2]string, err error)
	EachUnmerged(ctx context.Context, prefix string, fn func(path string, base, ours, theirs []byte) error) error
}
