package families

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// others returns the vaults beside the current one that may have a project of the family, and
// are there. Those that are not are told, once.
func (f *Finder) others(ctx context.Context, k Known, s settings.Settings, fam *Family) []family.Project {
	near := k.near(fam.Of, f.everyone())
	if len(near) == 0 {
		return nil
	}
	var there []family.Project
	var gone []string
	for i, err := range reach(near) {
		switch p := near[i]; {
		case err == nil || p.Vault == s.Root:
			there = append(there, p)
		case errors.Is(err, errGone) && f.knownGone(s, p):
		default:
			if errors.Is(err, errGone) {
				gone = append(gone, p.Vault)
			}
			fam.warn(p, err)
		}
	}
	f.mark(s, gone, f.today())
	f.back(s, there)
	return k.others(fam.Of, f.standing(ctx, there), f.everyone())
}

// near returns the projects whose paths lie below that of a project or above it, the global
// one, and itself. It is empty where nobody but itself is.
func (k Known) near(of family.Project, everyone bool) (near []family.Project) {
	alone := true
	for _, p := range k.Projects {
		if everyone || p.Global || k.Rules.Below(p.Path, of.Path) || k.Rules.Below(of.Path, p.Path) || p.Vault == of.Vault {
			near = append(near, p)
			alone = alone && p.Vault == k.Here.Vault
		}
	}
	if alone {
		return nil
	}
	return near
}

// others returns those of near, beside the current vault, that may have a project of the family:
// whose own project is in it, and those above in the same repository, which may have a part in it.
func (k Known) others(of family.Project, near []family.Project, everyone bool) (all []family.Project) {
	near = withTrees(near)
	of = withTrees([]family.Project{of})[0]
	chosen := k.Rules.Family(of, near)
	if everyone {
		chosen = k.Rules.Everyone(near)
	}
	for _, p := range near {
		in := slices.ContainsFunc(chosen, func(c family.Project) bool { return c.Vault == p.Vault })
		above := !everyone && of.Repo != "" && p.Repo == of.Repo && p.Top == of.Top && k.Rules.Below(of.Path, p.Path)
		if (in || above) && p.Vault != k.Here.Vault {
			all = append(all, p)
		}
	}
	return all
}

// members opens vaults side by side. One that cannot be opened is told, once.
func (f *Finder) members(ctx context.Context, s settings.Settings, all []family.Project, scope vault.Scope, fam *Family) (out []Member) {
	opened := make([]Member, len(all))
	failed := make([]error, len(all))
	each(len(all), func(i int) {
		opened[i], failed[i] = f.memberOf(ctx, s, all[i], scope)
	})
	for i, p := range all {
		if failed[i] == nil {
			out = append(out, opened[i])
		} else {
			fam.warn(p, failed[i])
		}
	}
	return out
}

// memberOf opens the vault of a project that is there, as a member.
func (f *Finder) memberOf(ctx context.Context, s settings.Settings, p family.Project, scope vault.Scope) (Member, error) {
	opened, err := f.open(ctx, s, p)
	if err != nil {
		return Member{}, err
	}
	if opened.Root != p.Vault { // since it was noted, a link has come to its place
		f.App.Close(opened)
		return Member{}, away{opened.Root}
	}
	p.Name = opened.Settings.Project
	m, err := f.member(ctx, opened, p, scope)
	if err != nil {
		f.App.Close(opened)
	}
	return m, err
}

// open opens the vault of a project that is there.
func (f *Finder) open(ctx context.Context, s settings.Settings, p family.Project) (*app.Session, error) {
	own, err := f.load(p.Vault, s)
	if err != nil {
		return nil, err
	}
	if own.Agent == "" {
		own.Agent = "cp" // it writes nothing, and git need not be asked
	}
	return f.App.OpenWith(ctx, own)
}

// member is an open vault, looked at as far as scope says, with the projects in it.
func (f *Finder) member(ctx context.Context, s *app.Session, p family.Project, scope vault.Scope) (m Member, err error) {
	if m.Session, err = looked(ctx, s, scope); err == nil {
		m.Held, err = f.held(ctx, s, p)
	}
	return m, err
}

// held returns the projects that have memories in an open vault, the vault's own first.
func (f *Finder) held(ctx context.Context, s *app.Session, p family.Project) ([]family.Project, error) {
	held := []family.Project{p}
	if s.Parts == nil {
		return held, nil
	}
	parts, err := s.Parts(ctx)
	if err != nil || len(parts) == 0 {
		return held, err
	}
	top := checkoutOf(p.Path).top
	if top == "" {
		top = p.Path
	}
	for _, part := range parts {
		in := resolved(part, s.Root, top)
		in.Joins = p.Joins
		if p.Apart != "" {
			in.Apart, in.Within = p.Apart, cmp.Or(p.Within, p.Path)
		}
		held = append(held, in)
	}
	return held, nil
}

// resolved returns a part as a project, links in its path resolved. A code: that leads out of
// the repository by a link is none.
func resolved(part family.Part, root, top string) family.Project {
	p := part.Project(root, top)
	if part.Code == "" {
		return p
	}
	real, err := filepath.EvalSymlinks(p.Path)
	switch {
	case err != nil: // the folder need not be there
	case family.Rules{}.Below(real, top):
		p.Path = real
	default:
		part.Code = ""
		p = part.Project(root, top)
	}
	return p
}
