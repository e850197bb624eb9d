package ask

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/graph"
)

// graph brings the members up to date and joins their graphs.
func (f *Family) graph(ctx context.Context) (*graph.Union, error) {
	members, err := Each(ctx, f, f.AllMembers(), func(ctx context.Context, a Asked) (graph.UnionMember, error) {
		_, err := a.CatchUp(ctx, vault.Scope{})
		return graph.UnionMember{Vault: a.Vault, Graph: a.Knowledge, Share: a.Share, Parts: len(a.Held) > 1, Origin: a.Origin}, err
	})
	return graph.JoinGraphs(members), err
}

// single returns the current vault where it is one project and answers by itself: it pays for
// no joining.
func (f *Family) single() (m Member, from family.Origin, ok bool) {
	m = f.Members[0]
	return m, m.Held[0].Origin(), f.Alone() && len(m.Held) == 1
}

// Graph walks the family's knowledge graph, of files as they are now. An entity of which
// several projects speak is one node.
func (f *Family) Graph(ctx context.Context, o graph.Options) (g graph.Graph, err error) {
	if m, from, ok := f.single(); ok {
		g, err = graph.Walk(ctx, m.Vault, m.Knowledge, o)
		for i := range g.Nodes {
			g.Nodes[i].Origin = from
		}
		return g, err
	}
	joined, err := f.graph(ctx)
	if err != nil {
		return g, err
	}
	return joined.Walk(ctx, o)
}

// ListEntities lists what the family's memories speak of.
func (f *Family) ListEntities(ctx context.Context, q graph.Query) (l graph.Listed, err error) {
	if m, from, ok := f.single(); ok {
		l, err = graph.List(ctx, m.Knowledge, q)
		for i := range l.Entities {
			l.Entities[i].Origin = from
		}
		return l, err
	}
	g, err := f.graph(ctx)
	if err != nil {
		return l, err
	}
	return g.List(ctx, q)
}

// Entity tells of the entities with a name.
func (f *Family) Entity(ctx context.Context, name string) (all []graph.Entity, err error) {
	if m, from, ok := f.single(); ok {
		all, err = graph.Look(ctx, m.Knowledge, name)
		for i := range all {
			all[i].Origin = from
			for j := range all[i].Memories {
				all[i].Memories[j].Origin = from
			}
		}
		return all, err
	}
	g, err := f.graph(ctx)
	if err != nil {
		return nil, err
	}
	return g.Look(ctx, name)
}

// SearchNodes looks for words in the names and descriptions of entities.
func (f *Family) SearchNodes(ctx context.Context, query string, limit int, memories bool) (hits []graph.Hit, err error) {
	if m, from, ok := f.single(); ok {
		hits, err = graph.Search(ctx, m.Knowledge, query, limit, memories)
		for i := range hits {
			hits[i].Origin = from
		}
		return hits, err
	}
	g, err := f.graph(ctx)
	if err != nil {
		return nil, err
	}
	return g.Search(ctx, query, limit, memories)
}
