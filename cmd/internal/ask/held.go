package ask

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/findings"
)

// Held is a memory of a family: the project that it is of, and its row.
type Held struct {
	family.Project
	vault.Node
}

// Holding returns the memories of the family that ref names, in the order of its vaults. Those
// whose id it is come alone. A memory that a clone has as well counts once.
func (f *Family) Holding(ctx context.Context, ref string) (out []Held) {
	at := make([]*target.Match, len(f.Members))
	registry.SideBySide(len(f.Members), func(i int) {
		m := f.Members[i]
		n, err := m.Locate(ctx, ref)
		if err != nil || !m.Share.Has(string(n.Path)) {
			return
		}
		p, _ := family.Holding(m.Held, string(n.Path))
		text, _, _ := m.Store.Read(n.Path)
		at[i] = &target.Match{Project: p, Node: n, Text: string(text)}
	})
	var found []target.Match
	for _, m := range at {
		if m != nil {
			found = append(found, *m)
		}
	}
	for _, m := range target.Distinct(found, ref) {
		out = append(out, Held{m.Project, m.Node})
	}
	return out
}

// Found is what a review of code has found, and the project that it is of.
type Found struct {
	findings.Known
	family.Origin
}

// ListFindings returns the findings of the family, those of each vault in their order.
func (f *Family) ListFindings(ctx context.Context, o findings.Filter) ([]Found, error) {
	lists, err := Each(ctx, f, f.AllMembers(), func(ctx context.Context, a Asked) (out []Found, err error) {
		all, err := findings.Load(ctx, a.Vault, o)
		for _, k := range all {
			if a.Share.Has(string(k.Path)) {
				one := Found{Known: k}
				if f.Several() {
					one.Origin = a.Origin(k.Path)
				}
				out = append(out, one)
			}
		}
		return out, err
	})
	out := append([]Found{}, slices.Concat(lists...)...)
	slices.SortStableFunc(out, func(a, b Found) int { return findings.Worse(a.Known, b.Known) })
	return out, err
}
