package about

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Code is the repository that bindings are about: one work tree of it, and its past.
type Code struct {
	Root  string // the top of the work tree, links resolved; empty where there is no code
	Files Files
	Past  Past // nil without git: then nothing is known but the files

	List func(ctx context.Context) ([]string, error) // the files that git tracks, or could; nil without git
}

// Files are the work tree. Paths are those of bindings.
type Files interface {
	// Stat tells what stands at a path. there is false where nothing does; why says of what is no
	// regular file within the work tree what it is. Symbolic links are not followed.
	Stat(path string) (stat vault.Stat, there bool, why string)

	// Read returns a file's text. It fails for what Stat has a why of.
	Read(path string) ([]byte, error)

	// BlobOf returns git's id of a text as git stores it, with plain line feeds; RawBlobOf that of
	// its bytes.
	BlobOf(text []byte) string
	RawBlobOf(text []byte) string

	// WhyAbsent says why a path that is not there may be all the same: git ignores it, a sparse
	// checkout leaves it out, it lies in a submodule that is not there. Empty for no reason.
	WhyAbsent(ctx context.Context, path string) (string, error)

	// Attribute returns what git's attributes give a path; empty for nothing.
	Attribute(ctx context.Context, path, name string) (string, error)
}

// Past is what git knows of the code. Commits are full ids.
type Past interface {
	// HeadCommit returns the commit of HEAD; empty before the first one.
	HeadCommit(ctx context.Context) (string, error)

	// Blobs returns the ids of the files that a commit has at the paths; what is no file there is
	// not among them. The error is CodeNotFound where the commit is not in this clone.
	Blobs(ctx context.Context, commit string, paths []string) (map[string]string, error)

	// ReadBlob returns a blob; nil where it is not in this clone.
	ReadBlob(ctx context.Context, blob string) ([]byte, error)

	// Renames returns where the files of a commit are at another one that are not at their path
	// there any more, as far as git finds that; nil where a commit is not in this clone. With an
	// empty from it returns where each blob of to lies, by its id.
	Renames(ctx context.Context, from, to string) (map[string]string, error)

	// Parent returns the first parent of a commit; empty for the first one.
	Parent(ctx context.Context, commit string) (string, error)

	// Base returns the merge base of two commits; empty where there is none.
	Base(ctx context.Context, a, b string) (string, error)
}

// Verdict is what was found of a binding, and on what that rests.
type Verdict struct {
	Stat  vault.Stat // of the file; zero where there was none
	Blob  string     // likewise
	Path  string     // of the file that Stat is of, where another one has taken the place of the binding's
	Head  string     // the commit of HEAD; empty where it did not matter
	State vault.BindingState
}

// Verdicts remember verdicts of one work tree. Nothing is lost with them but time.
type Verdicts interface {
	RecallVerdicts(ctx context.Context, root string, keys []int64) map[int64]Verdict
	KeepVerdicts(ctx context.Context, root string, verdicts map[int64]Verdict)
}
