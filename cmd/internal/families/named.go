package families

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Choose finds the project that --project names, and has the command be about its vault. s
// are the settings of the current vault, or without one the person's.
func (f *Finder) Choose(ctx context.Context, s settings.Settings, ref string) error {
	p, err := f.Named(ctx, s, ref)
	if err == nil {
		f.chosen, f.App.Flags.Vault = &p, p.Vault
	}
	return err
}

// Named returns the project of a name or a path. The error is CodeNotFound, or CodeAmbiguous
// with the paths.
func (f *Finder) Named(ctx context.Context, s settings.Settings, ref string) (family.Project, error) {
	k := f.Known(s)
	as := ref
	if strings.ContainsRune(ref, '/') || ref == "." || ref == ".." || strings.HasPrefix(ref, "~") {
		as = settings.Absolute(ref, f.App.Place())
		if real, err := filepath.EvalSymlinks(as); err == nil {
			as = real
		}
	}
	found := k.Rules.Named(as, k.Projects)
	if len(found) > 1 {
		found = reachable(found)
	}
	hint := "`cp project list` shows them; `cp project add PATH` adds one"
	if len(found) == 0 {
		parts, unasked := f.parts(ctx, s, k, as)
		if found = k.Rules.Named(as, parts); unasked > 0 {
			hint = fmt.Sprintf("parts of %d vaults were looked through, those of %d more were not: give the path; ", len(k.Projects)-unasked, unasked) + hint
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if p, err := f.at(as, s); err == nil {
			return p, nil
		}
		return family.Project{}, vault.Errorf(vault.CodeNotFound, hint, "there is no project '%s'", vault.Clip(ref, 80))
	}
	var paths []string
	for _, p := range found {
		paths = append(paths, p.Path)
	}
	return family.Project{}, vault.Errorf(vault.CodeAmbiguous, "give the path: --project "+vault.Path(paths[0]).Quoted(), "'%s' is the name of %d projects: %s", vault.Clip(ref, 80), len(paths), strings.Join(paths, ", "))
}

// at returns the project of the vault at an absolute path, or that the folder there names. It
// need not be registered.
func (f *Finder) at(path string, s settings.Settings) (family.Project, error) {
	if !filepath.IsAbs(path) {
		return family.Project{}, vault.Errorf(vault.CodeNotFound, "", "%s is no path", path)
	}
	own, err := f.load(path, s)
	if err != nil {
		return family.Project{}, err
	}
	return f.project(own), nil
}

// Here returns the settings of the current vault; where there is none, those of the person,
// without a Root.
func Here(a *app.App) (settings.Settings, error) {
	s, err := settings.Load(a.Flags, a.Place())
	if vault.CodeOf(err) == vault.CodeNoVault {
		s, err = settings.Personal(a.Flags, a.Place())
		s.Root = ""
	}
	return s, err
}

// Current returns the current project: the deepest whose path holds the working directory,
// among the current vault's; with --vault and CP_VAULT that vault's own.
func (f *Finder) Current(ctx context.Context, s settings.Settings) (family.Project, error) {
	if s.Root == "" {
		return family.Project{}, vault.Errorf(vault.CodeNoVault, "name a project, or see `cp project list`", "there is no memory vault here or above %s", f.App.Dir)
	}
	k := f.Known(s)
	if f.App.Flags.Vault != "" || f.App.Env("CP_VAULT") != "" {
		return k.Here, nil
	}
	m, err := f.memberOf(ctx, s, k.Here, vault.Scope{})
	if err != nil {
		return k.Here, err
	}
	defer f.App.Close(m.Session)
	k.dissolve(&m.Held)
	return f.current(k, m.Held), nil
}

// current chooses among the projects of the current vault by the working directory.
func (f *Finder) current(k Known, held []family.Project) family.Project {
	if real, err := filepath.EvalSymlinks(f.App.Dir); err == nil {
		if p, ok := k.Rules.Current(real, held); ok {
			return p
		}
	}
	return k.Here
}

// Everyone has the command be about all projects: where there is no current vault, the first
// that is there stands for it.
func (f *Finder) Everyone(s settings.Settings) error {
	if s.Root != "" {
		return nil
	}
	k := f.Known(s)
	if there := reachable(k.Rules.Everyone(k.Projects)); len(there) > 0 {
		f.App.Flags.Vault = there[0].Vault
		return nil
	}
	return vault.Errorf(vault.CodeNotFound, "`cp project scan ~` finds those that are there", "there is no project on this machine")
}
