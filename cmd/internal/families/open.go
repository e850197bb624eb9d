package families

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// atOnce bounds the vaults that are opened side by side.
const atOnce = 8

// Family is a family whose vaults are open.
type Family struct {
	Of       family.Project   // the project that the command is about
	Projects []family.Project // it and those that answer with it, in the order of a tree
	Members  []Member         // those that could be opened, the current vault first
	Warnings []string         // of those that could not
	Here     *app.Session     // the current vault, for what it is asked by itself

	close func()
}

// Several reports whether more than one project answers, so that a result has to say which.
func (f *Family) Several() bool { return len(f.Projects) > 1 }

// Alone reports whether the current vault answers by itself, all of it.
func (f *Family) Alone() bool {
	return len(f.Members) == 1 && len(f.Members[0].Share.Areas) == 0
}

// Close closes the vaults that were opened beside the current one.
func (f *Family) Close() { f.close() }

// Answering opens the family of the project that a command is about: the current vault, s, which
// stays the caller's, and the vaults of the projects below. With exact it is that project
// alone. Each vault is brought up to date before, for it may be a hand's edit that makes a part
// of it a project. A family is for reading.
func (f *Finder) Answering(ctx context.Context, s *app.Session, exact bool) (*Family, error) {
	return f.AnsweringOf(ctx, s, exact, vault.Scope{})
}

// AnsweringOf is Answering for a question that looks at no more than scope: which projects the
// vaults hold is then as old as the last look at the rest.
func (f *Finder) AnsweringOf(ctx context.Context, s *app.Session, exact bool, scope vault.Scope) (*Family, error) {
	fam, known := &Family{close: func() {}}, f.listed
	if !exact {
		known = f.Known
	}
	k := known(s.Settings)
	if !exact {
		fam.Warnings = k.Warnings
	}
	first, err := f.member(ctx, s, k.Here, scope)
	if err != nil {
		return nil, err
	}
	k.dissolve(&first.Held)
	open := []Member{first}
	fam.Of, fam.Here = f.about(k, open[0].Held), first.Session
	var more []Member
	if !exact {
		more = f.members(ctx, s.Settings, f.others(k, s.Settings, fam), scope, fam)
		open = append(open, more...)
	}
	fam.close = func() {
		for _, m := range more {
			f.App.Close(m.Session)
		}
	}
	held := make([]*[]family.Project, len(open))
	for i := range open {
		held[i] = &open[i].Held
	}
	k.dissolve(held...)
	fam.choose(k.Rules, open, exact, f.everyone())
	return fam, nil
}

// about returns the project that a command is about, of those in the current vault unless it
// was named.
func (f *Finder) about(k Known, held []family.Project) family.Project {
	switch {
	case f.chosen != nil:
		return *f.chosen
	case f.App.Flags.Vault == "" && f.App.Env("CP_VAULT") == "":
		return f.current(k, held)
	}
	return k.Here
}

// everyone reports whether all projects are asked.
func (f *Finder) everyone() bool { return f.App.Flags.Project == All }

// others returns the vaults beside the current one that may have a project of the family, and
// are there. Those that are not are told, once.
func (f *Finder) others(k Known, s settings.Settings, fam *Family) []family.Project {
	near := k.near(fam.Of, f.everyone())
	if len(near) == 0 {
		return nil
	}
	var there []family.Project
	for i, err := range reach(near) {
		switch p := near[i]; {
		case err == nil || p.Vault == s.Root:
			there = append(there, p)
		case errors.Is(err, errGone) && f.knownGone(s, p):
		default:
			fam.warn(p, err)
		}
	}
	return k.others(fam.Of, there, f.everyone())
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
		held = append(held, part.Project(s.Root, top))
	}
	return held, nil
}

// choose finds which of the projects in the open vaults answer, and drops the vaults without.
func (fam *Family) choose(rules family.Rules, open []Member, exact, everyone bool) {
	var all []family.Project
	for _, m := range open {
		all = append(all, m.Held...)
	}
	all = withTrees(all)
	of := withTrees([]family.Project{fam.Of})[0]
	switch {
	case everyone && !exact:
		fam.Projects = rules.Everyone(all)
	case exact:
		fam.Projects = []family.Project{of}
	default:
		fam.Projects = rules.Family(of, all)
	}
	for _, m := range open {
		m.Share = family.ShareOf(fam.Projects, m.Held)
		if slices.ContainsFunc(fam.Projects, func(p family.Project) bool { return p.Vault == m.Root }) {
			fam.Members = append(fam.Members, m)
		}
	}
}

// each calls fn for 0 to n-1, some at once.
func each(n int, fn func(i int)) {
	var all sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for i := range n {
		room <- struct{}{}
		all.Go(func() {
			fn(i)
			<-room
		})
	}
	all.Wait()
}

// parts returns the parts of all known vaults that are projects of their own. It opens each.
func (f *Finder) parts(ctx context.Context, s settings.Settings, k Known) (parts []family.Project) {
	found := make([][]family.Project, len(k.Projects))
	there := reach(k.Projects)
	each(len(k.Projects), func(i int) {
		if there[i] != nil {
			return
		}
		m, err := f.memberOf(ctx, s, k.Projects[i], vault.Scope{})
		if err == nil {
			f.App.Close(m.Session)
			k.dissolve(&m.Held)
			found[i] = m.Held[1:]
		}
	})
	return slices.Concat(found...)
}

// knownGone reports whether the registry tells already that a project is gone; if not, it
// does from now on.
func (f *Finder) knownGone(s settings.Settings, p family.Project) bool {
	e := f.read(s).Of(p.Vault)
	if e == nil || e.Gone != "" {
		return true
	}
	f.markGone(s, p.Vault)
	return false
}

// Each has every member answer, side by side, in the order of the members. The current vault's
// error is the answer's; another one's is a warning.
func Each[R any](ctx context.Context, fam *Family, members []Asked, do func(context.Context, Asked) (R, error)) ([]R, error) {
	answers, failed := make([]R, len(members)), make([]error, len(members))
	each(len(members), func(i int) { answers[i], failed[i] = do(ctx, members[i]) })
	var out []R
	for i, m := range members {
		switch {
		case failed[i] == nil:
			out = append(out, answers[i])
		case m.Session == fam.Members[0].Session || vault.CodeOf(failed[i]) == vault.CodeInvalid:
			return nil, failed[i]
		default:
			fam.warn(m.Held[0], failed[i])
		}
	}
	return out, nil
}
