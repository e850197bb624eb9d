package record

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// SearchOptions bound a search. A limit of 0 is 20.
type SearchOptions struct {
	Limit            int
	IncludeMemoryIDs *bool // nil is true
}

// SearchResult is a node of the graph that a search has found.
type SearchResult struct {
	NodeID      string   `json:"node_id"`
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Description string   `json:"description"`
	MemoryIDs   []string `json:"memory_ids"` // that speak of it, the newest first by when they were made; never nil
}

// searched is how many nodes a search gives unless it says otherwise.
const searched = 20

// Search looks for words in the names and descriptions of nodes, the best first. The memories
// of all results are asked for at once.
func (s Store) Search(ctx context.Context, query string, o SearchOptions) ([]SearchResult, error) {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	if o.Limit <= 0 {
		o.Limit = searched
	}
	hits, err := graph.Search(ctx, s.Graph, query, o.Limit, o.IncludeMemoryIDs == nil || *o.IncludeMemoryIDs)
	all := make([]SearchResult, 0, len(hits))
	for _, h := range hits {
		r := SearchResult{NodeID: h.ID, Name: h.Name, Type: h.Type, Description: h.Description, MemoryIDs: make([]string, 0, len(h.MemoryIDs))}
		for _, id := range h.MemoryIDs {
			r.MemoryIDs = append(r.MemoryIDs, string(id))
		}
		all = append(all, r)
	}
	return all, err
}
