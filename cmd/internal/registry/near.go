package registry

import (
	"context"
	"errors"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault/family"
)

// There returns the vaults beside the current one that may have a project of the family of one,
// and are there. Those that are not are told, once.
func (f *Finder) There(ctx context.Context, k Known, s settings.Settings, of family.Project) (all []family.Project, warnings []string) {
	near := k.Near(of, f.isAboutAll())
	if len(near) == 0 {
		return nil, nil
	}
	var there []family.Project
	var gone []string
	for i, err := range probeAll(near) {
		switch p := near[i]; {
		case err == nil || p.Vault == s.Root:
			there = append(there, p)
		case errors.Is(err, errGone) && f.knownGone(s, p):
		default:
			if errors.Is(err, errGone) {
				gone = append(gone, p.Vault)
			}
			warnings = append(warnings, Unavailable(p, err))
		}
	}
	f.markGone(s, gone, f.today())
	f.back(s, there)
	return k.Others(of, f.Standing(ctx, there), f.isAboutAll()), warnings
}

// Near returns the projects whose paths lie below that of a project or above it, the global
// one, and itself. It is empty where nobody but itself is.
func (k Known) Near(of family.Project, everyone bool) (near []family.Project) {
	alone := true
	for _, p := range k.Projects {
		if everyone || p.Global || k.Rules.IsBelow(p.Path, of.Path) || k.Rules.IsBelow(of.Path, p.Path) || p.Vault == of.Vault {
			near = append(near, p)
			alone = alone && p.Vault == k.Here.Vault
		}
	}
	if alone {
		return nil
	}
	return near
}

// Others returns those of near, beside the current vault, that may have a project of the family:
// whose own project is in it, and those above in the same repository, which may have a part in it.
func (k Known) Others(of family.Project, near []family.Project, everyone bool) (all []family.Project) {
	near = WithTrees(near)
	of = WithTrees([]family.Project{of})[0]
	chosen := k.Rules.Family(of, near)
	if everyone {
		chosen = k.Rules.Everyone(near)
	}
	for _, p := range near {
		in := slices.ContainsFunc(chosen, func(c family.Project) bool { return c.Vault == p.Vault })
		above := !everyone && of.Repo != "" && p.Repo == of.Repo && p.Top == of.Top && k.Rules.IsBelow(of.Path, p.Path)
		if (in || above) && p.Vault != k.Here.Vault {
			all = append(all, p)
		}
	}
	return all
}

// Kin returns the vaults beside the current one that are there and may have a project of the
// family that a command is about.
func (f *Finder) Kin(ctx context.Context, s settings.Settings) []family.Project {
	k := f.FindKnown(s)
	of := k.Here
	if f.Of != nil {
		of = *f.Of
	}
	near := f.Standing(ctx, Reachable(k.Near(of, f.isAboutAll())))
	if len(near) == 0 {
		return nil
	}
	return k.Others(of, near, f.isAboutAll())
}

// Far returns the vaults beside the current one and those of near, as many as are asked.
func (k Known) Far(s settings.Settings, near []family.Project) (far []family.Project) {
	for _, p := range k.Projects {
		if p.Vault != s.Root && len(far) < Most && !slices.ContainsFunc(near, func(n family.Project) bool { return n.Vault == p.Vault }) {
			far = append(far, p)
		}
	}
	return far
}
