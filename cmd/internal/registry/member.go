package registry

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Member is an open vault of a family. A vault with several projects is one member.
type Member struct {
	*app.Session

	Held  []family.Project // all projects that have memories in the vault, asked or not
	Share family.Share     // which of its files are asked: those of the family's projects
}

// Origin returns the project that a file of the vault belongs to.
func (m Member) Origin(file vault.Path) family.Origin {
	p, _ := family.Holding(m.Held, string(file))
	return p.Origin()
}

// Members opens vaults side by side. One that cannot be opened is told, once.
func (f *Finder) Members(ctx context.Context, s settings.Settings, all []family.Project, scope vault.Scope) (out []Member, warnings []string) {
	opened := make([]Member, len(all))
	failed := make([]error, len(all))
	SideBySide(len(all), func(i int) {
		opened[i], failed[i] = f.MemberOf(ctx, s, all[i], scope)
	})
	for i, p := range all {
		if failed[i] == nil {
			out = append(out, opened[i])
		} else {
			warnings = append(warnings, Unavailable(p, failed[i]))
		}
	}
	return out, warnings
}

// MemberOf opens the vault of a project that is there, as a member.
func (f *Finder) MemberOf(ctx context.Context, s settings.Settings, p family.Project, scope vault.Scope) (Member, error) {
	opened, err := f.SessionOf(ctx, s, p)
	if err != nil {
		return Member{}, err
	}
	if opened.Root != p.Vault { // since it was noted, a link has come to its place
		f.App.Close(opened)
		return Member{}, away{opened.Root}
	}
	p.Name = opened.Settings.Project
	m, err := f.Member(ctx, opened, p, scope)
	if err != nil {
		f.App.Close(opened)
	}
	return m, err
}

// SessionOf opens the vault of a project that is there, to look something up.
func (f *Finder) SessionOf(ctx context.Context, s settings.Settings, p family.Project) (*app.Session, error) {
	own, err := f.Load(p.Vault, s)
	if err != nil {
		return nil, err
	}
	if own.Agent == "" {
		own.Agent = nobody
	}
	return f.App.Open(ctx, own)
}

// nobody writes in a vault that was opened to look something up, so that git need not be asked
// for a name.
const nobody = "cp"

// Sign has what is written in a vault that was opened to look something up be by who runs the
// command.
func (f *Finder) Sign(ctx context.Context, s *app.Session) error {
	if s.Settings.Agent != nobody {
		return nil
	}
	unsigned := s.Settings
	unsigned.Agent = ""
	own, err := f.Load(s.Root, unsigned)
	if err == nil {
		s.Vault.Agent, err = f.App.Author(ctx, own)
		s.Settings.Agent = own.Agent
	}
	return err
}

// Member is an open vault, looked at as far as scope says, with the projects in it.
func (f *Finder) Member(ctx context.Context, s *app.Session, p family.Project, scope vault.Scope) (m Member, err error) {
	if m.Session, err = catchUpOnce(ctx, s, scope); err == nil {
		m.Held, err = f.HeldIn(ctx, s, p)
	}
	return m, err
}

// HeldIn returns the projects that have memories in an open vault, the vault's own first.
func (f *Finder) HeldIn(ctx context.Context, s *app.Session, p family.Project) ([]family.Project, error) {
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
		in := resolvePart(part, s.Root, top)
		in.Joins = p.Joins
		if p.Apart != "" {
			in.Apart, in.Within = p.Apart, cmp.Or(p.Within, p.Path)
		}
		held = append(held, in)
	}
	return held, nil
}

// resolvePart returns a part as a project, links in its path resolved. A code: that leads out of
// the repository by a link is none.
func resolvePart(part family.Part, root, top string) family.Project {
	p := part.Project(root, top)
	if part.Code == "" {
		return p
	}
	real, err := filepath.EvalSymlinks(p.Path)
	switch {
	case err != nil: // the folder need not be there
	case family.Rules{}.IsBelow(real, top):
		p.Path = real
	default:
		part.Code = ""
		p = part.Project(root, top)
	}
	return p
}
