package app

import (
	"context"

	"github.com/cp-memory/cp/vault/doctor"
)

// Branches keeps vaults on branches of their own: linked worktrees beside the code.
type Branches interface {
	// At returns the vault of the repository whose .git is in dir, and makes its folder
	// again if that is lost; empty if it has none.
	At(dir string) (root string, err error)

	// Name returns the branch of the repository around dir that holds its vault, and the
	// vault; empty if it has none. It mends nothing.
	Name(dir string) (name, root string, err error)

	// Code returns the top of the code's main work tree, where the vault in root is on a branch
	// of its own; empty for any other vault, and in a bare repository.
	Code(root string) (string, error)

	// Offers reports whether the repository around dir has, here or at its remote, a branch
	// of that name with a vault. A note says that the remote could not be asked.
	Offers(ctx context.Context, dir, name string) (offers bool, notes []string)

	// Make makes the branch and the vault's folder, or what is missing of them.
	Make(ctx context.Context, dir string, o Branch) (Branched, error)

	// Faults finds what may harm the vault in root; nothing for one that is on no branch of
	// its own.
	Faults(ctx context.Context, root string) ([]doctor.Finding, error)
}

// Branch says which branch is to hold the vault of a repository.
type Branch struct {
	Name    string
	Dir     string // of the vault, absolute; empty leaves the choice
	Convert string // the vault in the code's tree whose history begins the branch, relative to the top
}

// Branched is the outcome of [Branches.Make].
type Branched struct {
	Root   string   // the vault's folder
	State  string   // the folder of its state
	Main   string   // the top of the code's main worktree; empty in a bare repository
	Began  string   // new, local, remote, converted
	Ignore string   // the line that the vault's .gitignore needs
	Notes  []string // for the person
}
