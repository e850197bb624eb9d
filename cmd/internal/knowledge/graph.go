package knowledge

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/facts"
	"github.com/cp-memory/cp/vault/graph"
)

// Collected says what a garbage collection has taken away.
type Collected struct {
	facts.Collected
	Nodes   int `json:"nodes_deleted"`
	Edges   int `json:"edges_deleted"`
	Vectors int `json:"vectors_deleted"`
}

// Collect takes away what nothing stands for any more: facts files without a memory, the nodes
// and edges of which no memory speaks, and vectors of nobody. A dry run only says which facts
// would go.
func (r Room) Collect(ctx context.Context, dryRun bool) (out Collected, err error) {
	nodes, edges, err := r.GraphSize(ctx)
	if err != nil {
		return out, err
	}
	if out.Collected, err = (facts.Collect{DryRun: dryRun}).Do(ctx, r.Vault); err != nil {
		return out, err
	}
	left, leftEdges, err := r.GraphSize(ctx)
	out.Nodes, out.Edges = max(nodes-left, 0), max(edges-leftEdges, 0)
	if err == nil && !dryRun && r.Vectors != nil {
		out.Vectors, err = embed.Ports{Vectors: r.Vectors, Holders: r.Holders}.Prune(ctx)
	}
	return out, err
}

// Graph walks the knowledge graph, of files as they are now.
func (r Room) Graph(ctx context.Context, o graph.Options) (graph.Graph, error) {
	if _, err := r.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return graph.Graph{}, err
	}
	return graph.Walk(ctx, r.Vault, r.Knowledge, o)
}

// Entities lists entities.
func (r Room) Entities(ctx context.Context, q graph.Query) (graph.Listed, error) {
	if _, err := r.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return graph.Listed{}, err
	}
	return graph.List(ctx, r.Knowledge, q)
}

// Entity tells of the entities with a name.
func (r Room) Entity(ctx context.Context, name string) ([]graph.Entity, error) {
	if _, err := r.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	return graph.Look(ctx, r.Vault, r.Knowledge, name)
}

// SearchNodes looks for words in the names and descriptions of entities.
func (r Room) SearchNodes(ctx context.Context, query string, limit int, memories bool) ([]graph.Hit, error) {
	if _, err := r.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	return graph.Search(ctx, r.Knowledge, query, limit, memories)
}
