package registry

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// atOnce bounds the vaults that are opened side by side.
const atOnce = 8

// SideBySide calls fn for 0 to n-1, some at once. A panic of one goes on here, where the command
// meets it, once all are done.
func SideBySide(n int, fn func(i int)) {
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

// findParts returns the parts of vaults that are projects of their own. It opens the vaults, at most
// as many as are asked for a memory, those first that are likely to have what ref names; unasked
// is how many it leaves out.
func (f *Finder) findParts(ctx context.Context, s settings.Settings, k Known, ref string) (parts []family.Project, unasked int) {
	all := k.likely(ref)
	all = all[:min(len(all), Most)]
	found := make([][]family.Project, len(all))
	there := probeAll(all)
	SideBySide(len(all), func(i int) {
		if there[i] != nil {
			return
		}
		m, err := f.MemberOf(ctx, s, all[i], vault.Scope{})
		if err == nil {
			f.App.Close(m.Session)
			k.Dissolve(&m.Held)
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
		case k.Rules.IsSamePath(ref, p.Path) || k.Rules.IsBelow(ref, p.Path):
			return 0
		case p.Vault == k.Here.Vault || k.Rules.IsBelow(p.Path, k.Here.Path) || k.Rules.IsBelow(k.Here.Path, p.Path):
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
	e := f.readRegistry(s).Of(p.Vault)
	return e == nil || e.Gone != ""
}

// Most bounds the vaults that are asked for an id that the family has not.
const Most = 200
