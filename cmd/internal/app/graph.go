package app

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
func (s *Session) Collect(ctx context.Context, dryRun bool) (out Collected, err error) {
	nodes, edges, err := s.GraphSize(ctx)
	if err != nil {
		return out, err
	}
	if out.Collected, err = (facts.Collect{DryRun: dryRun}).Do(ctx, s.Vault); err != nil {
		return out, err
	}
	left, leftEdges, err := s.GraphSize(ctx)
	out.Nodes, out.Edges = max(nodes-left, 0), max(edges-leftEdges, 0)
	if err == nil && !dryRun && s.Vectors != nil {
		out.Vectors, err = embed.Ports{Vectors: s.Vectors, Holders: s.Holders}.Prune(ctx)
	}
	return out, err
}

// Graph walks the knowledge graph, of files as they are now.
func (s *Session) Graph(ctx context.Context, o graph.Options) (graph.Graph, error) {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return graph.Graph{}, err
	}
	return graph.Walk(ctx, s.Vault, s.Knowledge, o)
}

// Entities lists entities.
func (s *Session) Entities(ctx context.Context, q graph.Query) (graph.Listed, error) {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return graph.Listed{}, err
	}
	return graph.List(ctx, s.Knowledge, q)
}

// Entity tells of the entities with a name.
func (s *Session) Entity(ctx context.Context, name string) ([]graph.Entity, error) {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	return graph.Look(ctx, s.Vault, s.Knowledge, name)
}

// SearchNodes looks for words in the names and descriptions of entities.
func (s *Session) SearchNodes(ctx context.Context, query string, limit int, memories bool) ([]graph.Hit, error) {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	return graph.Search(ctx, s.Knowledge, query, limit, memories)
}
