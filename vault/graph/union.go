package graph

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// UnionMember is a vault with its graph. What is asked is the graph as it stands: who joins it
// brings it up to date.
type UnionMember struct {
	*vault.Vault
	Graph  Mirror
	Share  family.Share                   // which of its memories count
	Parts  bool                           // it holds several projects
	Origin func(vault.Path) family.Origin // of a file
}

// Union is the joined one. It serves one question.
type Union struct {
	members []UnionMember
	keys    map[string]string // of memories, by member and id
}

// JoinGraphs joins the graphs of vaults, the current one first.
func JoinGraphs(members []UnionMember) *Union {
	g := &Union{keys: make(map[string]string)}
	for _, m := range members {
		if len(m.Share.Areas) > 0 {
			m.Graph = shared{m.Graph, m.Share}
		}
		g.members = append(g.members, m)
	}
	return g
}

// Walk is [Walk] in the joined graph. What names a memory is looked for in one member
// after the other.
func (g *Union) Walk(ctx context.Context, o Options) (Graph, error) {
	w, err := WalkWith(ctx, g.resolveKey, mirror{g}, o)
	if err == nil {
		err = g.sign(ctx, w.Nodes)
	}
	names := g.shownIDs(w.Nodes)
	for i := range w.Nodes {
		w.Nodes[i].ID = names[w.Nodes[i].ID]
	}
	for i, e := range w.Edges {
		w.Edges[i].From, w.Edges[i].To = names[e.From], names[e.To]
	}
	return w, err
}

// List is [List] in the joined graph.
func (g *Union) List(ctx context.Context, q Query) (Listed, error) {
	l, err := List(ctx, mirror{g}, q)
	if err == nil {
		err = g.sign(ctx, l.Entities)
	}
	return l, err
}

// Look is [Look] in the joined graph.
func (g *Union) Look(ctx context.Context, name string) ([]Entity, error) {
	all, err := Look(ctx, mirror{g}, name)
	for i := range all {
		for j := range all[i].Memories {
			all[i].Memories[j].ID = idOfKey(all[i].Memories[j].ID)
		}
		if err == nil {
			err = g.signNode(ctx, &all[i].Node)
		}
	}
	return all, err
}

// Search is [Search] in the joined graph: the best of each member first, then the second
// of each, and so on.
func (g *Union) Search(ctx context.Context, query string, limit int, memories bool) ([]Hit, error) {
	hits, err := Search(ctx, mirror{g}, query, limit, memories)
	for i := range hits {
		for j, id := range hits[i].MemoryIDs {
			hits[i].MemoryIDs[j] = idOfKey(id)
		}
		if err == nil {
			err = g.signNode(ctx, &hits[i].Node)
		}
	}
	return hits, err
}

// resolveKey returns the key of the memory that ref names.
func (g *Union) resolveKey(ctx context.Context, ref string) (string, error) {
	var missing error
	for i, m := range g.members {
		d, err := m.Reading().Open(ctx, ref)
		switch {
		case err == nil && m.Share.Has(string(d.Path)):
			keys, err := g.keysOf(ctx, i, []string{string(d.Node.ID)})
			return keys[string(d.Node.ID)], err
		case err != nil && vault.CodeOf(err) != vault.CodeNotFound:
			return "", err
		case err != nil:
			missing = err
		}
	}
	if missing == nil {
		missing = vault.Errorf(vault.CodeNotFound, "", "no memory is named '%s'", vault.Clip(ref, 80))
	}
	return "", missing
}

// A key is the id of an entity, or that of a memory with the number of its member behind it,
// which is left out of the first one's.
const behind = "\x00"

func keyOf(member int, id string) string {
	if member == 0 {
		return id
	}
	return id + behind + strconv.Itoa(member)
}

// splitKey is the inverse of keyOf.
func splitKey(key string) (member int, id string) {
	id, number, ok := strings.Cut(key, behind)
	if ok {
		member, _ = strconv.Atoi(number)
	}
	return member, id
}

// idOfKey is the id of a memory that came as a key.
func idOfKey(key vault.ID) vault.ID {
	_, id := splitKey(string(key))
	return vault.ID(id)
}

// entity reports whether a key is that of an entity or of a label, which all vaults share.
func entity(key string) bool {
	if _, ok := LabelOf(key); ok {
		return true
	}
	digits, ok := strings.CutPrefix(key, "n-")
	if _, err := strconv.ParseUint(digits, 16, 64); err != nil {
		return false
	}
	return ok && len(digits) == 16
}

// keysOf returns the keys of memories of a member: of a twin of an earlier member's memory
// that one's.
func (g *Union) keysOf(ctx context.Context, member int, ids []string) (map[string]string, error) {
	out := make(map[string]string, len(ids))
	var fresh []string
	for _, id := range ids {
		key, known := g.keys[keyOf(member, id)]
		switch {
		case entity(id):
			out[id] = id
		case known:
			out[id] = key
		default:
			out[id] = keyOf(member, id)
			fresh = append(fresh, id)
		}
	}
	if len(fresh) == 0 || member == 0 {
		return out, nil
	}
	own, err := g.members[member].Graph.Nodes(ctx, fresh)
	for earlier := 0; earlier < member && err == nil; earlier++ {
		var others map[string]Node
		others, err = g.members[earlier].Graph.Nodes(ctx, fresh)
		for id, other := range others {
			if out[id] == keyOf(member, id) && g.equal(earlier, other.Path, member, own[id].Path) {
				out[id] = keyOf(earlier, id)
			}
		}
	}
	for _, id := range fresh {
		g.keys[keyOf(member, id)] = out[id]
	}
	return out, err
}

// equal reports whether two files hold the same.
func (g *Union) equal(a int, p vault.Path, b int, q vault.Path) bool {
	x, _, err := g.members[a].Store.Read(p)
	if err != nil {
		return false
	}
	y, _, err := g.members[b].Store.Read(q)
	return err == nil && string(x) == string(y)
}

// shownIDs returns the ids that nodes are shown by. Of two memories with one id the second has the
// path of its project behind it.
func (g *Union) shownIDs(nodes []Node) map[string]string {
	names, taken := make(map[string]string, len(nodes)), make(map[string]bool, len(nodes))
	order := slices.Clone(nodes)
	slices.SortStableFunc(order, func(a, b Node) int {
		i, _ := splitKey(a.ID)
		j, _ := splitKey(b.ID)
		return i - j
	})
	for _, n := range order {
		_, id := splitKey(n.ID)
		if taken[id] {
			id += "@" + n.ProjectPath
		}
		names[n.ID], taken[id] = id, true
	}
	return names
}
