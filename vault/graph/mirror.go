package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// mirror is the joined graph as one vault's. Its ids of memories are keys.
type mirror struct{ *Union }

// Interface check.
var _ Mirror = mirror{}

// describes bounds the description of a node, in characters.
const describes = 500

// Entities implements [Mirror]. It asks each member for all of its entities: which are
// spoken of most is only known of all together.
func (m mirror) Entities(ctx context.Context, q Query) (all []Node, total int, err error) {
	if len(m.members) == 1 {
		return m.members[0].Graph.Entities(ctx, q)
	}
	all, err = m.mergeEntities(ctx, func(g Mirror) ([]Node, error) {
		found, _, err := g.Entities(ctx, Query{Type: q.Type})
		return found, err
	})
	all = slices.DeleteFunc(all, func(n Node) bool { return n.Sources < q.Min })
	all, total = pageOfNodes(all, q)
	return all, total, err
}

// pageOfNodes returns the page of a list that a query asks for, and how many there are.
func pageOfNodes(all []Node, q Query) (rows []Node, total int) {
	total = len(all)
	all = all[min(q.Offset, len(all)):]
	if q.Limit > 0 {
		all = all[:min(q.Limit, len(all))]
	}
	return all, total
}

// FindNamed implements [Mirror].
func (m mirror) FindNamed(ctx context.Context, name string) ([]Node, error) {
	return m.mergeEntities(ctx, func(g Mirror) ([]Node, error) { return g.FindNamed(ctx, name) })
}

// mergeEntities makes one list of the entities that the members have, those first of which most speak.
func (m mirror) mergeEntities(ctx context.Context, ask func(Mirror) ([]Node, error)) ([]Node, error) {
	var all []Node
	at, several := map[string]int{}, []string(nil)
	for i := range m.members {
		found, err := ask(m.members[i].Graph)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			j, there := at[n.ID]
			if !there {
				at[n.ID] = len(all)
				all = append(all, n)
				continue
			}
			join(&all[j], n)
			several = append(several, n.ID)
		}
	}
	if err := m.dropTwins(ctx, all, at, several); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Node) int {
		return cmp.Or(cmp.Compare(b.Sources, a.Sources), strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

// join adds what another member says of an entity.
func join(n *Node, other Node) {
	n.Sources += other.Sources
	for part := range strings.SplitSeq(other.Description, "; ") {
		if part != "" && !slices.Contains(strings.Split(n.Description, "; "), part) {
			n.Description = strings.TrimPrefix(n.Description+"; "+part, "; ")
		}
	}
	if runes := []rune(n.Description); len(runes) > describes {
		n.Description = string(runes[:describes-1]) + "…"
	}
}

// dropTwins takes from the sources of entities those that are twins: of a memory in two clones of a
// vault one counts.
func (m mirror) dropTwins(ctx context.Context, all []Node, at map[string]int, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	seen := map[string]map[string]bool{}
	for i := range m.members {
		speaking, err := m.members[i].Graph.Speaking(ctx, ids, everyone)
		if err != nil {
			return err
		}
		for id, memories := range speaking {
			keys, err := m.keysOf(ctx, i, idTexts(memories))
			if err != nil {
				return err
			}
			if seen[id] == nil {
				seen[id] = map[string]bool{}
			}
			for _, key := range keys {
				if seen[id][key] {
					all[at[id]].Sources--
				}
				seen[id][key] = true
			}
		}
	}
	return nil
}

// Around implements [Mirror].
func (m mirror) Around(ctx context.Context, ids []string, kind string, limit int) (edges []Edge, err error) {
	seen := map[Edge]bool{}
	for i := range m.members {
		own, err := m.members[i].Graph.Around(ctx, m.idsOfMember(i, ids), kind, limit)
		if err != nil {
			return nil, err
		}
		var ends []string
		for _, e := range own {
			ends = append(ends, e.From, e.To)
		}
		keys, err := m.keysOf(ctx, i, ends)
		if err != nil {
			return nil, err
		}
		for _, e := range own {
			e.From, e.To = keys[e.From], keys[e.To]
			if !seen[e] {
				seen[e] = true
				edges = append(edges, e)
			}
		}
	}
	return edges, nil
}

// idsOfMember returns the ids that a member knows, of those with the keys.
func (m mirror) idsOfMember(member int, keys []string) (ids []string) {
	for _, key := range keys {
		if of, id := splitKey(key); of == member || entity(key) || m.keys[keyOf(member, id)] == key {
			ids = append(ids, id)
		}
	}
	return ids
}

// Nodes implements [Mirror].
func (m mirror) Nodes(ctx context.Context, keys []string) (map[string]Node, error) {
	all := make(map[string]Node, len(keys))
	for i := range m.members {
		own, err := m.members[i].Graph.Nodes(ctx, m.idsOfMember(i, keys))
		if err != nil {
			return nil, err
		}
		for id, n := range own {
			key := id
			if n.Memory {
				n.Origin = m.members[i].Origin(n.Path)
				known, err := m.keysOf(ctx, i, []string{id})
				if err != nil {
					return nil, err
				}
				key = known[id]
			}
			was, there := all[key]
			switch {
			case !there:
				n.ID = key
				all[key] = n
			case !n.Memory:
				join(&was, n)
				all[key] = was
			}
		}
	}
	return all, nil
}

// Speaking implements [Mirror].
func (m mirror) Speaking(ctx context.Context, ids []string, limit int) (map[string][]vault.ID, error) {
	all := make(map[string][]vault.ID, len(ids))
	made := make(map[vault.ID]int64)
	for i := range m.members {
		own, err := m.members[i].Graph.Speaking(ctx, ids, limit)
		if err != nil || len(m.members) == 1 {
			return own, err
		}
		for id, memories := range own {
			keys, err := m.keysOf(ctx, i, idTexts(memories))
			if err != nil {
				return nil, err
			}
			known, err := m.members[i].Graph.Nodes(ctx, idTexts(memories))
			if err != nil {
				return nil, err
			}
			for _, memory := range memories {
				key := vault.ID(keys[string(memory)])
				if slices.Contains(all[id], key) {
					continue
				}
				all[id] = append(all[id], key)
				if at := known[string(memory)].Created; !at.IsZero() {
					made[key] = at.UnixNano()
				}
			}
		}
	}
	for id, memories := range all {
		slices.SortStableFunc(memories, func(a, b vault.ID) int { return cmp.Compare(made[b], made[a]) })
		all[id] = memories[:min(limit, len(memories))]
	}
	return all, nil
}

// Search implements [Mirror]. What the words weigh differs between vaults: the places
// of the members' own lists count.
func (m mirror) Search(ctx context.Context, query string, limit int) ([]Node, error) {
	if len(m.members) == 1 {
		return m.members[0].Graph.Search(ctx, query, limit)
	}
	place := map[string]int{}
	all, err := m.mergeEntities(ctx, func(g Mirror) ([]Node, error) {
		found, err := g.Search(ctx, query, limit)
		for i, n := range found {
			if was, there := place[n.ID]; !there || i < was {
				place[n.ID] = i
			}
		}
		return found, err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Node) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	all = all[:min(limit, len(all))]
	var ids []string
	for _, n := range all {
		ids = append(ids, n.ID)
	}
	whole, err := m.mergeEntities(ctx, func(g Mirror) (found []Node, err error) { // of those, too, whose own lists lack it
		known, err := g.Nodes(ctx, ids)
		for _, id := range ids {
			if n, ok := known[id]; ok {
				found = append(found, n)
			}
		}
		return found, err
	})
	slices.SortStableFunc(whole, func(a, b Node) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	return whole, err
}
