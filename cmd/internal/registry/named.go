package registry

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

// ResolveAbout returns what a command is about once the project that --project names is found: its
// vault. Where all projects are asked and there is no current vault, the first that is there
// stands for it.
func (f *Finder) ResolveAbout(ctx context.Context) (About, error) {
	if f.Flags.Project == "" {
		return f.About, nil
	}
	s, err := Here(f.App, f.Flags)
	if err != nil {
		return f.About, err
	}
	if f.isAboutAll() {
		return f.everyProject(s)
	}
	p, err := f.FindProject(ctx, s, f.Flags.Project)
	if err != nil {
		return f.About, err
	}
	return f.About.In(p), nil
}

func (f *Finder) everyProject(s settings.Settings) (About, error) {
	if s.Root != "" {
		return f.About, nil
	}
	k := f.FindKnown(s)
	if there := Reachable(k.Rules.Everyone(k.Projects)); len(there) > 0 {
		return f.About.AboutVault(there[0].Vault), nil
	}
	return f.About, vault.Errorf(vault.CodeNotFound, "`cp project scan ~` finds those that are there", "there is no project on this machine")
}

// FindProject returns the project of a name or a path. The error is CodeNotFound, or CodeAmbiguous
// with the paths.
func (f *Finder) FindProject(ctx context.Context, s settings.Settings, ref string) (family.Project, error) {
	k := f.FindKnown(s)
	as := ref
	if strings.ContainsRune(ref, '/') || ref == "." || ref == ".." || strings.HasPrefix(ref, "~") {
		as = settings.Absolute(ref, f.App.Place())
		if real, err := filepath.EvalSymlinks(as); err == nil {
			as = real
		}
	}
	found := k.Rules.FindProjects(as, k.Projects)
	if len(found) > 1 {
		found = Reachable(found)
	}
	hint := "`cp project list` shows them; `cp project add PATH` adds one"
	if len(found) == 0 {
		parts, unasked := f.findParts(ctx, s, k, as)
		if found = k.Rules.FindProjects(as, parts); unasked > 0 {
			hint = fmt.Sprintf("parts of %d vaults were looked through, those of %d more were not: give the path; ", len(k.Projects)-unasked, unasked) + hint
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if p, err := f.projectAt(as, s); err == nil {
			return p, nil
		}
		return family.Project{}, vault.Errorf(vault.CodeNotFound, hint, "there is no project '%s'", vault.Clip(ref, 80))
	}
	var paths []string
	for _, p := range found {
		paths = append(paths, p.Path)
	}
	return family.Project{}, vault.Errorf(vault.CodeAmbiguous, "give the path: --project "+vault.Path(paths[0]).QuoteForShell(), "'%s' is the name of %d projects: %s", vault.Clip(ref, 80), len(paths), strings.Join(paths, ", "))
}

// projectAt returns the project of the vault at an absolute path, or that the folder there names. It
// need not be registered.
func (f *Finder) projectAt(path string, s settings.Settings) (family.Project, error) {
	if !filepath.IsAbs(path) {
		return family.Project{}, vault.Errorf(vault.CodeNotFound, "", "%s is no path", path)
	}
	own, err := f.Load(path, s)
	if err != nil {
		return family.Project{}, err
	}
	return f.project(own), nil
}

// Here returns the settings of the current vault; where there is none, those of the person,
// without a Root.
func Here(a *app.App, flags settings.Flags) (settings.Settings, error) {
	s, err := settings.Load(flags, a.Place())
	if vault.CodeOf(err) == vault.CodeNoVault {
		s, err = settings.Personal(flags, a.Place())
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
	k := f.FindKnown(s)
	if f.Flags.Vault != "" || f.App.Env("CP_VAULT") != "" {
		return k.Here, nil
	}
	m, err := f.MemberOf(ctx, s, k.Here, vault.Scope{})
	if err != nil {
		return k.Here, err
	}
	defer f.App.Close(m.Session)
	k.Dissolve(&m.Held)
	return f.currentIn(k, m.Held), nil
}

// currentIn chooses among the projects of the current vault by the working directory.
func (f *Finder) currentIn(k Known, held []family.Project) family.Project {
	if real, err := filepath.EvalSymlinks(f.App.Dir); err == nil {
		if p, ok := k.Rules.Current(real, held); ok {
			return p
		}
	}
	return k.Here
}
