package branch

import (
	"context"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore/remote"
)

// Offers reports whether the repository, or else its remote, has a branch of that name that
// holds a vault. A note says that the remote could not be asked.
func Offers(ctx context.Context, r remote.Remote, name string) (offers bool, notes []string) {
	m := &maker{Remote: r, Options: Options{Name: name}, made: Made{Link: &Link{Name: name, common: r.CommonDir()}}}
	commit, err := r.CommitOf(ctx, "refs/heads/"+name)
	if err == nil && commit == "" {
		commit, _, err = m.askRemote(ctx)
	}
	if err != nil || commit == "" {
		return false, m.made.Notes
	}
	marked, err := holdsVault(ctx, r.Git, commit)
	return err == nil && marked, nil
}

// Fault is something that may harm a vault.
type Fault struct{ Evidence, Fix string }

// Faults looks for code that has files at the vault's place, and whether the clone's git
// passes over it.
func (l *Link) Faults(ctx context.Context) (all []Fault, err error) {
	main, err := l.Main(ctx)
	if err != nil {
		return nil, err
	}
	why, err := findTracked(ctx, l.git(), main, l)
	if why != "" {
		all = append(all, Fault{why + ": git checkout there would write over memories, and delete them on the way back",
			"move the vault: cp init --force --branch " + l.Name + " cp-memory"})
	}
	if rel, ok := l.vaultFolder(main); ok {
		b, _ := os.ReadFile(filepath.Join(l.common, "info", "exclude"))
		if line := pattern(rel); !excludes(b, line) {
			all = append(all, Fault{"the line " + line + " is missing in " + filepath.Join(l.common, "info", "exclude") + ": git add -A would take the vault for a submodule", "cp init --force"})
		}
	}
	return all, err
}
