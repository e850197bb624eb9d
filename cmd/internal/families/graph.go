package families

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/graph/union"
)

// graph brings the members up to date and joins their graphs.
func (f *Family) graph(ctx context.Context) (*union.Graph, error) {
	members, err := Each(ctx, f, f.asked(), func(ctx context.Context, a Asked) (union.Member, error) {
		_, err := a.CatchUp(ctx, vault.Scope{})
		return union.Member{Vault: a.Vault, Graph: a.Knowledge, Share: a.Share, Parts: len(a.Held) > 1, Origin: a.Origin}, err
	})
	return union.Join(members), err
}

// Graph walks the family's knowledge graph, of files as they are now. An entity of which
// several projects speak is one node.
func (f *Family) Graph(ctx context.Context, o graph.Options) (graph.Graph, error) {
	g, err := f.graph(ctx)
	if err != nil {
		return graph.Graph{}, err
	}
	return g.Walk(ctx, o)
}

// Entities lists what the family's memories speak of.
func (f *Family) Entities(ctx context.Context, q graph.Query) (graph.Listed, error) {
	g, err := f.graph(ctx)
	if err != nil {
		return graph.Listed{}, err
	}
	return g.List(ctx, q)
}

// Entity tells of the entities with a name.
func (f *Family) Entity(ctx context.Context, name string) ([]graph.Entity, error) {
	g, err := f.graph(ctx)
	if err != nil {
		return nil, err
	}
	return g.Look(ctx, name)
}

// SearchNodes looks for words in the names and descriptions of entities.
func (f *Family) SearchNodes(ctx context.Context, query string, limit int, memories bool) ([]graph.Hit, error) {
	g, err := f.graph(ctx)
	if err != nil {
		return nil, err
	}
	return g.Search(ctx, query, limit, memories)
}
