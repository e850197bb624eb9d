package graph

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// everyone is as many memories as an entity may have.
const everyone = 1 << 30

// signNode is sign for one node.
func (g *Union) signNode(ctx context.Context, n *Node) error {
	one := []Node{*n}
	err := g.sign(ctx, one)
	*n = one[0]
	return err
}

// sign says of entities which projects speak of them. Memories have theirs already.
func (g *Union) sign(ctx context.Context, nodes []Node) error {
	var ids []string
	for i := range nodes {
		if !nodes[i].Memory {
			ids = append(ids, nodes[i].ID)
		}
	}
	of := make(map[string][]family.Origin, len(ids))
	for i := range g.members {
		if err := g.members[i].speaks(ctx, ids, of); err != nil {
			return err
		}
	}
	for i := range nodes {
		n := &nodes[i]
		if all := of[n.ID]; !n.Memory && len(all) > 0 {
			if n.Origin = all[0]; len(all) > 1 {
				n.Projects = all
			}
		}
	}
	return nil
}

// speaks adds the member's projects that speak of each of the entities.
func (m *UnionMember) speaks(ctx context.Context, ids []string, of map[string][]family.Origin) error {
	add := func(id string, o family.Origin) {
		if !slices.Contains(of[id], o) {
			of[id] = append(of[id], o)
		}
	}
	there, err := m.Graph.Nodes(ctx, ids)
	if err != nil || !m.Parts {
		for id := range there {
			add(id, m.Origin(""))
		}
		return err
	}
	speaking, err := m.Graph.Speaking(ctx, ids, everyone)
	if err != nil {
		return err
	}
	for id := range there {
		paths, err := m.paths(ctx, speaking[id])
		if err != nil {
			return err
		}
		var own []family.Origin
		for _, p := range paths {
			own = append(own, m.Origin(p))
		}
		slices.SortFunc(own, func(a, b family.Origin) int { return strings.Compare(a.ProjectPath, b.ProjectPath) })
		for _, o := range own {
			add(id, o)
		}
		if len(paths) == 0 {
			add(id, m.Origin(""))
		}
	}
	return nil
}

// paths returns where memories lie.
func (m *UnionMember) paths(ctx context.Context, ids []vault.ID) (all []vault.Path, err error) {
	known, err := m.Graph.Nodes(ctx, idTexts(ids))
	for _, id := range ids {
		if n, ok := known[string(id)]; ok {
			all = append(all, n.Path)
		}
	}
	return all, err
}

func idTexts(ids []vault.ID) (all []string) {
	for _, id := range ids {
		all = append(all, string(id))
	}
	return all
}
