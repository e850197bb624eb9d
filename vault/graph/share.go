package graph

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// shared is a vault's graph as far as a part of its memories makes it.
type shared struct {
	Mirror
	share family.Share
}

// memoriesInPart returns which of the memories are in the part.
func (s shared) memoriesInPart(ctx context.Context, ids []string) (map[string]bool, error) {
	known, err := s.Mirror.Nodes(ctx, ids)
	in := make(map[string]bool, len(known))
	for id, n := range known {
		in[id] = n.Memory && s.share.Has(string(n.Path))
	}
	return in, err
}

// partEntities returns the entities of which the part speaks, with the sources that it has. What no
// memory speaks of belongs to the vault, and to none of its parts.
func (s shared) partEntities(ctx context.Context, nodes []Node) (all []Node, err error) {
	var ids []string
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	speaking, err := s.Mirror.Speaking(ctx, ids, everyone)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		in, err := s.memoriesInPart(ctx, idTexts(speaking[n.ID]))
		if err != nil {
			return nil, err
		}
		was := n.Sources
		n.Sources = 0
		for _, yes := range in {
			if yes {
				n.Sources++
			}
		}
		if s.share.Rest {
			n.Sources += max(was-len(speaking[n.ID]), 0)
		}
		if n.Sources > 0 {
			all = append(all, n)
		}
	}
	return all, nil
}

// Entities implements [Mirror].
func (s shared) Entities(ctx context.Context, q Query) ([]Node, int, error) {
	found, _, err := s.Mirror.Entities(ctx, Query{Type: q.Type})
	if err != nil {
		return nil, 0, err
	}
	all, err := s.partEntities(ctx, found)
	all = slices.DeleteFunc(all, func(n Node) bool { return n.Sources < q.Min })
	slices.SortStableFunc(all, func(a, b Node) int { return cmp.Compare(b.Sources, a.Sources) })
	rows, total := pageOfNodes(all, q)
	return rows, total, err
}

// FindNamed implements [Mirror].
func (s shared) FindNamed(ctx context.Context, name string) ([]Node, error) {
	found, err := s.Mirror.FindNamed(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.partEntities(ctx, found)
}

// Search implements [Mirror].
func (s shared) Search(ctx context.Context, query string, limit int) ([]Node, error) {
	found, err := s.Mirror.Search(ctx, query, everyone)
	if err != nil {
		return nil, err
	}
	all, err := s.partEntities(ctx, found)
	return all[:min(limit, len(all))], err
}

// Nodes implements [Mirror].
func (s shared) Nodes(ctx context.Context, ids []string) (map[string]Node, error) {
	known, err := s.Mirror.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Node, len(known))
	var entities []Node
	for id, n := range known {
		if !n.Memory {
			entities = append(entities, n)
		} else if s.share.Has(string(n.Path)) {
			out[id] = n
		}
	}
	entities, err = s.partEntities(ctx, entities)
	for _, n := range entities {
		out[n.ID] = n
	}
	return out, err
}

// Around implements [Mirror].
func (s shared) Around(ctx context.Context, ids []string, kind string, limit int) ([]Edge, error) {
	edges, err := s.Mirror.Around(ctx, ids, kind, limit)
	if err != nil {
		return nil, err
	}
	var ends []string
	for _, e := range edges {
		ends = append(ends, e.From, e.To)
	}
	there, err := s.Nodes(ctx, ends)
	return slices.DeleteFunc(edges, func(e Edge) bool {
		_, from := there[e.From]
		_, to := there[e.To]
		return !from || !to
	}), err
}

// Speaking implements [Mirror].
func (s shared) Speaking(ctx context.Context, ids []string, limit int) (map[string][]vault.ID, error) {
	all, err := s.Mirror.Speaking(ctx, ids, everyone)
	if err != nil {
		return nil, err
	}
	for id, memories := range all {
		in, err := s.memoriesInPart(ctx, idTexts(memories))
		if err != nil {
			return nil, err
		}
		memories = slices.DeleteFunc(memories, func(m vault.ID) bool { return !in[string(m)] })
		all[id] = memories[:min(limit, len(memories))]
	}
	return all, nil
}
