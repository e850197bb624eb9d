package app

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// usualBranch is the branch that a plain init looks for.
const usualBranch = "memory"

// onBranch returns the options with the branch that holds the repository's vault, where a
// person has named none: the one that it has, or in a code repository without a vault the
// one that is offered.
func (a *maker) onBranch(ctx context.Context, o Init) Init {
	if o.Branch != "" || o.Dir != "" || a.flags.Vault != "" || a.Branches == nil {
		return o
	}
	top, err := a.GitTop(a.Dir)
	if err != nil {
		return o
	}
	name, _, err := a.Branches.Name(top)
	if err == nil && name == "" && a.isCodeOnly(ctx, top) {
		offers, notes := a.Branches.Offers(ctx, top, usualBranch)
		if a.warn(notes...); offers {
			name = usualBranch
		}
	}
	o.Branch = name
	return o
}

// isCodeOnly reports whether a repository holds code and no vault.
func (a *maker) isCodeOnly(ctx context.Context, top string) bool {
	root, err := a.choosePlace(ctx, top, a.Dir)
	return err == nil && !settings.IsVault(root) && root != a.Dir
}

// initBranch makes a vault on a branch of its own.
func (a *maker) initBranch(ctx context.Context, o Init) (Initialized, error) {
	at, err := a.branchSite(ctx, o)
	if err != nil {
		return Initialized{}, err
	}
	old, kept, err := a.inTree(ctx, at.top)
	if err != nil {
		return Initialized{}, err
	}
	b, err := a.Branches.Make(ctx, at.top, Branch{Name: o.Branch, Dir: at.root, Convert: old})
	if err != nil {
		return Initialized{}, err
	}
	if b.Began == "converted" {
		takeAlong(kept, b.State)
	}
	at = site{root: b.Root, top: b.Root, code: cmp.Or(b.Main, at.top), ignore: b.Ignore}
	own, err := a.initSettings(ctx, o, at)
	if err != nil {
		return Initialized{}, err
	}
	done := Initialized{Vault: b.Root, Branch: o.Branch, Began: b.Began, Project: own.Project, Prefix: own.Prefix, Files: []string{}, Warned: vault.Warned{Warnings: b.Notes}}
	if old != "" && b.Began != "converted" {
		done.Warnings = append(done.Warnings, old+" in the code is another vault, and its memories are not on the branch")
	}
	if a.flags.Agent != "" {
		done.Warnings = append(done.Warnings, "--agent is not kept for a vault on a branch; say agent: "+a.flags.Agent+" in ~/.cp/config.yaml, or set CP_AGENT")
	}
	return a.commitInit(ctx, done, at, own)
}

// branchSite returns the work tree of the code, and the place that a person has named for
// the vault.
func (a *maker) branchSite(ctx context.Context, o Init) (site, error) {
	top, err := a.GitTop(a.Dir)
	if err != nil {
		return site{}, err
	}
	name, root, err := a.Branches.Name(top)
	if err != nil {
		return site{}, err
	}
	if name == o.Branch && settings.IsVault(root) && !o.Force {
		return site{}, cmp.Or(a.finishInit(ctx, o, site{root: root, top: root}), error(errConfigured))
	}
	at := site{top: top}
	if dir := cmp.Or(o.Dir, a.flags.Vault); dir != "" {
		near, err := a.findSite(settings.Absolute(dir, a.Place()))
		if err == nil {
			err = a.checkSite(near, Init{Force: true})
		}
		if err != nil {
			return site{}, err
		}
		at.root = near.root
	}
	return at, nil
}

// inTree returns the vault in the code's tree, relative to its top, and the folder of its
// state; empty without one. One of which something is in no commit is refused: its history
// would lack it.
func (a *maker) inTree(ctx context.Context, top string) (rel, state string, err error) {
	if settings.IsVault(top) && a.tracks(ctx, top, ".cp/vault.yaml") {
		if _, root, err := a.Branches.Name(top); root != top || err != nil {
			return "", "", cmp.Or[error](err, vault.Errorf(vault.CodeInvalid, "keep it as it is", "the whole repository %s is a vault: there is no code to keep it apart from", top))
		}
		return "", "", nil
	}
	root, err := settings.ReadVaultName(top)
	if err != nil {
		return "", "", err
	}
	if root = cmp.Or(root, filepath.Join(top, "memory")); !settings.IsVault(root) {
		return "", "", nil
	}
	rel, err = filepath.Rel(top, root)
	if rel = filepath.ToSlash(rel); err != nil || !a.tracks(ctx, top, rel+"/.cp/vault.yaml") {
		return "", "", err
	}
	state, err = a.refuseUncommitted(ctx, root)
	return rel, state, err
}

// takeAlong copies the counts of readings and the vectors of a converted vault. They are
// statistics, and what can be made again: a failure stops nothing. A database that is in use
// has a part in its log and stays behind.
func takeAlong(from, to string) {
	for _, name := range []string{"usage.db", "vectors.db"} {
		if info, err := os.Stat(filepath.Join(from, name+"-wal")); err == nil && info.Size() > 0 {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(from, name)); err == nil {
			_ = disk.WriteSync(filepath.Join(to, name), b, 0o600)
		}
	}
}

func (a *maker) tracks(ctx context.Context, top, name string) bool {
	_, err := a.Git(ctx, top, "ls-files", "--error-unmatch", "--", name)
	return err == nil
}

// refuseUncommitted refuses a vault with something that is in no commit, and returns the folder of
// its state.
func (a *maker) refuseUncommitted(ctx context.Context, root string) (state string, err error) {
	said, err := a.Git(ctx, root, "status", "--porcelain", "--untracked-files=all", "--", ".")
	if err != nil {
		return "", err
	}
	if said = strings.TrimSpace(said); said != "" {
		first, _, _ := strings.Cut(said, "\n")
		return "", vault.Errorf(vault.CodeDirty, "commit it first, with git or by: cp memory sync", "%s holds what is in no commit (%s)", root, strings.TrimSpace(first))
	}
	own, err := settings.Load(a.flags.ForVault(root), a.Place())
	if err != nil {
		return "", err
	}
	s, err := a.Open(ctx, own)
	if err != nil {
		return "", err
	}
	defer a.Close(s)
	waiting, err := s.Store.Waiting(ctx)
	if err == nil && len(waiting) > 0 {
		err = vault.Errorf(vault.CodeBusy, "finish what git is at, then: cp memory sync", "in %s %s to be committed", root, vault.Plural(len(waiting), "write waits", "writes wait"))
	}
	return s.State.CommonStateDir(), err
}
