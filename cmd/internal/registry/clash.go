package registry

import (
	"slices"

	"github.com/cp-memory/cp/vault/family"
)

// Dissolve takes away the parts whose path is another project's that wins: what they hold stays
// with the project around them, and no memory is hidden. Each list is what one vault holds.
func (k Known) Dissolve(held ...*[]family.Project) {
	var all []family.Project
	parts := false
	for _, h := range held {
		all = append(all, *h...)
		parts = parts || len(*h) > 1
	}
	if !parts {
		return
	}
	lost := k.Rules.Clashes(append(all, k.vaultsAt(all)...))
	for _, h := range held {
		*h = slices.DeleteFunc(slices.Clone(*h), func(p family.Project) bool { return !p.IsVault() && slices.Contains(lost, p) })
	}
}

// vaultsAt returns the known vaults beside those of all that are there and serve the path of a part
// among all.
func (k Known) vaultsAt(all []family.Project) (more []family.Project) {
	for _, p := range k.Projects {
		if slices.ContainsFunc(all, func(o family.Project) bool { return !o.IsVault() && k.Rules.IsSamePath(o.Path, p.Path) }) &&
			!slices.ContainsFunc(all, func(o family.Project) bool { return o.Vault == p.Vault }) {
			more = append(more, p)
		}
	}
	return Reachable(more)
}
