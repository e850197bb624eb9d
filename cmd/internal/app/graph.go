package app

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

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
