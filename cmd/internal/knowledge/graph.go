package knowledge

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/graph"
)

// Collected says what a garbage collection has taken away.
type Collected struct {
	graph.FactsCollected
	Nodes   int `json:"nodes_deleted"`
	Edges   int `json:"edges_deleted"`
	Vectors int `json:"vectors_deleted"`
	Intents int `json:"intents_deleted"` // records of finished writes
}

// Collect takes away what nothing stands for any more: facts files without a memory, the nodes
// and edges of which no memory speaks, also those that the look at the disk takes away first,
// vectors of nobody, and records of finished writes that nobody can need. A dry run says what
// would go: it looks with a copy of the mirror, so that the run after it finds the same. Where
// there is nothing to take away it waits for no lock.
func (r Room) Collect(ctx context.Context, dryRun bool) (out Collected, err error) {
	if dryRun && r.Aside != nil {
		if err = r.Aside(ctx); err != nil {
			return out, err
		}
	}
	nodes, edges, err := r.GraphSize(ctx)
	if err != nil {
		return out, err
	}
	out.FactsCollected, err = graph.CollectFacts{DryRun: true}.Do(ctx, r.Vault)
	out.Intents = r.Spent()
	if err != nil {
		return out, err
	}
	if !dryRun && len(out.Facts)+out.Intents > 0 {
		if out.FactsCollected, err = (graph.CollectFacts{}).Do(ctx, r.Vault); err != nil {
			return out, err
		}
		out.Intents = max(out.Intents-r.Spent(), 0) // the vault's lock has removed them
	}
	left, leftEdges, err := r.GraphSize(ctx)
	out.Nodes, out.Edges = max(nodes-left, 0), max(edges-leftEdges, 0)
	if err == nil && r.Vectors != nil {
		out.Vectors, err = embed.Ports{Vectors: r.Vectors, Holders: r.Holders}.Prune(ctx, dryRun)
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

// ListEntities lists entities.
func (r Room) ListEntities(ctx context.Context, q graph.Query) (graph.Listed, error) {
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
	return graph.Look(ctx, r.Knowledge, name)
}
