package doctor

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/sync"
)

// Patient is a vault and what it stands on. Without a vault only Machine is set.
type Patient struct {
	*sync.Syncer
	Root       string // the vault's folder, absolute
	Settings   Settings
	Machine    Machine
	Repository Repository
	Attributes Attributes
	Folder     Folder
	State      State
	Index      Index

	// Vectors tells in words how many memories have them; the error is why recall does not use
	// them as they are kept. It is nil where no model is configured.
	Vectors func(ctx context.Context) (string, error)

	// Watcher describes the watcher of the index for people, or returns "". polling says
	// that it gets no events and scans instead.
	Watcher func() (who string, polling bool)

	// Branch returns what may harm a vault on a branch of its own; nil for any other vault.
	Branch func(ctx context.Context) ([]Finding, error)

	// LeftOver returns copies of memories in files that agents load, of memories that are not
	// to be there any more.
	LeftOver func(ctx context.Context) ([]Finding, error)

	// Code is what the memories are about; the zero value is nothing.
	Code Code

	// OwnAnchors and LostAnchors return entries that tell of a commit of the program's own, and of one
	// that nothing is left of.
	OwnAnchors, LostAnchors func(ctx context.Context) ([]Finding, error)

	// Describe tells in words where the branch stands.
	Describe func(vault.Head) string
}

// Settings are what the settings' files gave.
type Settings struct {
	Project  string
	Files    int      // read
	Warnings []string // keys that are not taken
	Notes    []string // keys that nobody knows
}

// Machine tells of the computer.
type Machine interface {
	Git(ctx context.Context) string // the version; empty where git does not run
	SQLite() string                 // the version
	Programs() (Programs, error)    // the error is that there is no system cp
}

// Programs are those with the name cp.
type Programs struct {
	Self, System string // this one; the one that copies files
	First        string // which a shell finds; empty for none
	Ours         bool   // First is Self
}

// Repository tells how the git repository around the vault stands.
type Repository interface {
	Top() (string, error) // of the work tree; CodeNoGit where there is none
	Damage(ctx context.Context) (Damage, error)
	Locks(ctx context.Context) ([]Lock, error) // git's
	Quiet() bool                               // no git runs in the work tree; false when that cannot be told
}

// Lock is a lock file of git's.
type Lock struct {
	Path string
	Size int64
	Age  time.Duration
}

// Attributes tell what git does with the vault's files.
type Attributes interface {
	Merge(ctx context.Context, kind string) (attribute string, err error) // the merge attribute of memories of a kind, as ".md"
	Driver(ctx context.Context) (command, program string, there bool)     // that merges memories; empty for none
	IsIgnored(ctx context.Context) bool
}

// Folder is the vault's folder on disk.
type Folder interface {
	System() (name string, remote bool) // the file system; the name is empty for an ordinary one
	Files(fn func(name string)) error   // calls fn for each file that is in no hidden folder
	Exists(name string) bool            // name is absolute
	Count(dir, pattern string) (n int)  // of the files in dir that fit
	ListAdopted() []string              // names of agents' files and reports that an earlier version made memories of
}

// State gives the files that writes leave behind for a while. The folders are empty
// without git.
type State interface {
	StateDir() string
	CommonStateDir() string
	FindReversal(ctx context.Context) (vault.Reversal, error)
	Strays(ctx context.Context) ([]string, error) // temporary files of writes that are over
}

// Index is the mirror's file.
type Index interface {
	Private() (bool, error)                            // every command builds its own, and why
	Check(ctx context.Context) ([]string, error)       // what SQLite finds wrong with it
	IsTracked(ctx context.Context) (bool, error)       // by git: then it is never believed
	Nowhere(ctx context.Context) ([]vault.Edge, error) // links that lead to no memory
}

// indexPath returns the path of the vault's mirror.
func (p *Patient) indexPath() string { return path.Join(p.Root, ".cp", "index.db") }

// ExamineMachine makes the checks that need no vault.
func (p *Patient) ExamineMachine(ctx context.Context) []Finding { return p.runChecks(ctx, machine...) }

// Examine makes the checks of the vault: what it stands on, and its contents.
func (p *Patient) Examine(ctx context.Context) []Finding {
	return slices.Concat(p.ExamineSurroundings(ctx), p.ExamineContents(ctx), p.runChecks(ctx, code...))
}

// ExamineSurroundings makes the checks of the vault's settings, its repository and its index.
func (p *Patient) ExamineSurroundings(ctx context.Context) []Finding {
	all := append(p.runChecks(ctx, settings...), p.repository(ctx)...)
	return append(all, p.runChecks(ctx, index...)...)
}

// repository makes the checks of the repository, if there is one.
func (p *Patient) repository(ctx context.Context) (all []Finding) {
	_, err := p.Repository.Top()
	for _, c := range repository {
		if err == nil || c.NoGit {
			all = append(all, p.runChecks(ctx, c)...)
		}
	}
	return all
}
