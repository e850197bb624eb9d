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
// alone.
func (f *Finder) Answering(ctx context.Context, s *app.Session, exact bool) (*Family, error) {
	k := f.Known(s.Settings)
	fam := &Family{Warnings: k.Warnings, close: func() {}}
	own, err := f.held(ctx, s, k.Here)
	if err != nil {
		return nil, err
	}
	if fam.Of = k.Here; f.chosen != nil {
		fam.Of = *f.chosen
	} else if f.App.Flags.Vault == "" && f.App.Env("CP_VAULT") == "" {
		fam.Of = f.current(k, own)
	}
	open := []Member{{Session: s, Held: own}}
	var more []Member
	if !exact {
		more = f.members(ctx, s, k.others(fam.Of, f.everyone()), fam)
		open = append(open, more...)
	}
	fam.close = func() {
		for _, m := range more {
			f.App.Close(m.Session)
		}
	}
	fam.choose(k.Rules, open, exact, f.everyone())
	return fam, nil
}

// everyone reports whether all projects are asked.
func (f *Finder) everyone() bool { return f.App.Flags.Project == All }

// others returns the vaults beside the current one that may have a project of the family: those
// whose project is in it, and those above in the same repository, which may have a part in it.
func (k Known) others(of family.Project, everyone bool) (all []family.Project) {
	var near []family.Project
	for _, p := range k.Projects {
		if everyone || p.Global || k.Rules.Below(p.Path, of.Path) || k.Rules.Below(of.Path, p.Path) {
			near = append(near, p)
		}
	}
	if len(near) == 1 && near[0].Vault == of.Vault && !everyone {
		return nil
	}
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
func (f *Finder) members(ctx context.Context, s *app.Session, all []family.Project, fam *Family) []Member {
	opened := make([]Member, len(all))
	failed := make([]error, len(all))
	each(len(all), func(i int) {
		opened[i], failed[i] = f.memberOf(ctx, s.Settings, all[i])
	})
	var out []Member
	for i, p := range all {
		switch {
		case failed[i] == nil:
			out = append(out, opened[i])
		case errors.Is(failed[i], errGone) && f.knownGone(s.Settings, p):
		default:
			fam.warn(p, failed[i])
		}
	}
	return out
}

var errGone = errors.New("it is gone; `cp project prune` forgets it")

// memberOf opens the vault of a project that is there.
func (f *Finder) memberOf(ctx context.Context, s settings.Settings, p family.Project) (m Member, err error) {
	if !alive(p) {
		return m, errGone
	}
	own, err := f.load(p.Vault, s)
	if err != nil {
		return m, err
	}
	if own.Agent == "" {
		own.Agent = "cp" // it writes nothing, and git need not be asked
	}
	opened, err := f.App.OpenWith(ctx, own)
	if err != nil {
		return m, err
	}
	p.Name = own.Project
	m = Member{Session: opened}
	if m.Held, err = f.held(ctx, opened, p); err != nil {
		f.App.Close(opened)
		return Member{}, err
	}
	return m, nil
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
	each(len(k.Projects), func(i int) {
		m, err := f.memberOf(ctx, s, k.Projects[i])
		if err == nil {
			found[i] = m.Held[1:]
			f.App.Close(m.Session)
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
		case i == 0 || vault.CodeOf(failed[i]) == vault.CodeInvalid:
			return nil, failed[i]
		default:
			fam.warn(m.Held[0], failed[i])
		}
	}
	return out, nil
}
