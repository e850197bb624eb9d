package ask

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

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

// Open opens the family of what a command is about: the target's vault, which stays the
// caller's, and the vaults of the projects below, unless the project answers alone. Each vault is
// brought up to date before as far as scope says, for it may be a hand's edit that makes a part
// of it a project; which projects the vaults hold is as old as the last look at the rest. A
// family is for reading.
func Open(ctx context.Context, t target.Target, scope vault.Scope) (*Family, error) {
	f, fam := t.Find, &Family{close: func() {}}
	known := f.FindKnown
	if t.Reads == target.Own {
		known = f.FindListed
	}
	k := known(t.Settings)
	first, err := f.Member(ctx, t.Session, k.Here, scope)
	if err != nil {
		return nil, err
	}
	k.Dissolve(&first.Held)
	fam.Of, fam.Here = f.AboutProject(k, first.Held), first.Session
	open := []Member{first}
	if t.Reads != target.Own {
		open = append(open, fam.openOthers(ctx, f, k, t, scope)...)
	}
	held := make([]*[]family.Project, len(open))
	for i := range open {
		held[i] = &open[i].Held
	}
	k.Dissolve(held...)
	fam.chooseMembers(k.Rules, open, t.Reads)
	return fam, nil
}

// openOthers opens the vaults beside the target's that may have a project of the family. It warns of
// those that do not answer.
func (fam *Family) openOthers(ctx context.Context, f *registry.Finder, k registry.Known, t target.Target, scope vault.Scope) []Member {
	there, gone := f.There(ctx, k, t.Settings, fam.Of)
	more, silent := f.Members(ctx, t.Settings, there, scope)
	fam.Warnings = slices.Concat(k.Warnings, gone, silent)
	fam.close = func() {
		for _, m := range more {
			f.App.Close(m.Session)
		}
	}
	return more
}

// chooseMembers finds which of the projects in the open vaults answer, and drops the vaults without.
func (fam *Family) chooseMembers(rules family.Rules, open []Member, reads target.Reads) {
	var all []family.Project
	for _, m := range open {
		all = append(all, m.Held...)
	}
	all = registry.WithTrees(all)
	of := registry.WithTrees([]family.Project{fam.Of})[0]
	switch reads {
	case target.All:
		fam.Projects = rules.Everyone(all)
	case target.Own:
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

// Each has every member answer, side by side, in the order of the members. The current vault's
// error is the answer's; another one's is a warning.
func Each[R any](ctx context.Context, fam *Family, members []Asked, do func(context.Context, Asked) (R, error)) ([]R, error) {
	answers, failed := make([]R, len(members)), make([]error, len(members))
	registry.SideBySide(len(members), func(i int) { answers[i], failed[i] = do(ctx, members[i]) })
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
