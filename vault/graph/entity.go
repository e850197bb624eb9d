package graph

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Listed is a list of entities.
type Listed struct {
	Entities []Node `json:"entities"`
	Total    int    `json:"total"`
}

// List lists entities, those of which most memories speak first.
func List(ctx context.Context, m Mirror, q Query) (Listed, error) {
	all, total, err := m.Entities(ctx, q)
	return Listed{append([]Node{}, all...), total}, err
}

// Entity is all that is known of one entity.
type Entity struct {
	Node
	Relations []Relation `json:"relations"`
	Memories  []Speaker  `json:"memories"` // the newest first
}

// Relation is an edge of an entity, with the names of its ends.
type Relation struct {
	From     string `json:"from"`
	Relation string `json:"relation"`
	To       string `json:"to"`
}

// Speaker is a memory that speaks of an entity.
type Speaker struct {
	ID    vault.ID   `json:"id"`
	Title string     `json:"title"`
	Path  vault.Path `json:"path"`
	family.Origin
}

// Limits of what is told of an entity.
const (
	maxSpeakers  = 100
	maxRelations = 200
)

// Look returns what is known of the entities with a name, or of the one with an id. The error
// is CodeNotFound if there is none.
func Look(ctx context.Context, m Mirror, name string) ([]Entity, error) {
	found, err := m.FindNamed(ctx, name)
	if err == nil && len(found) == 0 {
		err = vault.Errorf(vault.CodeNotFound, "`cp memory search --nodes` looks for words in names and descriptions", "no entity is named '%s'", vault.Clip(name, 80))
	}
	if err != nil {
		return nil, err
	}
	ids := idsOf(found)
	edges, err := m.Around(ctx, ids, "", maxRelations)
	if err != nil {
		return nil, err
	}
	speaking, err := m.Speaking(ctx, ids, maxSpeakers)
	if err != nil {
		return nil, err
	}
	known, err := m.Nodes(ctx, ends(edges, speaking))
	if err != nil {
		return nil, err
	}
	all := make([]Entity, len(found))
	for i, n := range found {
		all[i] = Entity{Node: n, Relations: []Relation{}, Memories: []Speaker{}}
		for _, e := range edges {
			from, to := known[e.From], known[e.To]
			if (e.From == n.ID || e.To == n.ID) && !from.Memory && !to.Memory {
				all[i].Relations = append(all[i].Relations, Relation{from.Name, e.Relation, to.Name})
			}
		}
		for _, id := range speaking[n.ID] {
			if memory, ok := known[string(id)]; ok {
				all[i].Memories = append(all[i].Memories, Speaker{id, memory.Name, memory.Path, memory.Origin})
			}
		}
	}
	return all, nil
}

// ends returns the ids of the nodes of edges and of the memories that speak.
func ends(edges []Edge, speaking map[string][]vault.ID) (ids []string) {
	for _, e := range edges {
		ids = append(ids, e.From, e.To)
	}
	for _, all := range speaking {
		for _, id := range all {
			ids = append(ids, string(id))
		}
	}
	return ids
}

func idsOf(nodes []Node) (ids []string) {
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

// Hit is an entity that a search has found.
type Hit struct {
	Node
	MemoryIDs []vault.ID `json:"memory_ids"` // the newest first; never nil
}

// Search looks for words in the names and descriptions of entities. memories says whether
// the hits tell which memories speak of them: it costs one question more, for all hits.
func Search(ctx context.Context, m Mirror, query string, limit int, memories bool) ([]Hit, error) {
	found, err := m.Search(ctx, query, limit)
	hits := make([]Hit, len(found))
	for i, n := range found {
		hits[i] = Hit{n, []vault.ID{}}
	}
	if err != nil || !memories || len(found) == 0 {
		return hits, err
	}
	speaking, err := m.Speaking(ctx, idsOf(found), maxSpeakers)
	for i := range hits {
		hits[i].MemoryIDs = append(hits[i].MemoryIDs, speaking[hits[i].ID]...)
	}
	return hits, err
}
