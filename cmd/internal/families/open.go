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
		more = f.members(ctx, s.Settings, f.others(ctx, k, s.Settings, fam), scope, fam)
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

// Exact reports whether the current project answers alone.
func (f *Finder) Exact(s settings.Settings) bool { return f.App.Flags.Exact || s.Families.Exact }

// everyone reports whether all projects are asked.
func (f *Finder) everyone() bool { return f.App.Flags.Project == All }

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

// each calls fn for 0 to n-1, some at once. A panic of one goes on here, where the command
// meets it, once all are done.
func each(n int, fn func(i int)) {
	var all sync.WaitGroup
	room, faults := make(chan struct{}, atOnce), make([]error, n)
	for i := range n {
		room <- struct{}{}
		all.Go(func() {
			faults[i] = vault.Guard("looking at a project", nil, func() error { fn(i); return nil })
			<-room
		})
	}
	all.Wait()
	for _, err := range faults {
		goOn(err)
	}
}

// goOn panics with the cause of a panic that was met in another goroutine.
func goOn(err error) {
	if fault := new(vault.Fault); errors.As(err, &fault) {
		panic(fault.Cause)
	}
}

// parts returns the parts of vaults that are projects of their own. It opens the vaults, at most
// as many as are asked for a memory, those first that are likely to have what ref names; unasked
// is how many it leaves out.
func (f *Finder) parts(ctx context.Context, s settings.Settings, k Known, ref string) (parts []family.Project, unasked int) {
	all := k.likely(ref)
	all = all[:min(len(all), elsewhere)]
	found := make([][]family.Project, len(all))
	there := reach(all)
	each(len(all), func(i int) {
		if there[i] != nil {
			return
		}
		m, err := f.memberOf(ctx, s, all[i], vault.Scope{})
		if err == nil {
			f.App.Close(m.Session)
			k.dissolve(&m.Held)
			found[i] = m.Held[1:]
		}
	})
	return slices.Concat(found...), len(k.Projects) - len(all)
}

// likely returns the projects in the order in which a part of theirs is looked for: those that
// hold the path ref, then those around the current one.
func (k Known) likely(ref string) []family.Project {
	far := func(p family.Project) int {
		switch {
		case k.Rules.Same(ref, p.Path) || k.Rules.Below(ref, p.Path):
			return 0
		case p.Vault == k.Here.Vault || k.Rules.Below(p.Path, k.Here.Path) || k.Rules.Below(k.Here.Path, p.Path):
			return 1
		}
		return 2
	}
	all := slices.Clone(k.Projects)
	slices.SortStableFunc(all, func(a, b family.Project) int { return far(a) - far(b) })
	return all
}

// knownGone reports whether the registry tells already that a project is gone, or does not know it.
func (f *Finder) knownGone(s settings.Settings, p family.Project) bool {
	e := f.read(s).Of(p.Vault)
	return e == nil || e.Gone != ""
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
