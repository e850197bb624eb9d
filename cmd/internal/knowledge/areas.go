package knowledge

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// areaLevels is how many levels of the tree a map of the vault shows, and areaMost how many
// memories of one place: what is smaller than those has no room in the picture.
const areaLevels, areaMost = 3, 150

// Areas returns the memories of the tree as parts of a map: each as large as the tokens of its
// text and of all below it. href gives the address of a memory; nil is none.
func (r Room) Areas(ctx context.Context, href func(vault.ID) string) (all []graph.Area, err error) {
	err = r.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		nodes, err := t.Walk(ctx, vault.WalkOptions{Outline: true, Unplaced: true, Uncounted: true})
		if err == nil {
			all, _ = areas(nodes, 0, href)
		}
		return err
	})
	return all, err
}

// areas returns those at the head of a depth-first walk that are at least as deep as its
// first node, and how many nodes they are.
func areas(nodes []vault.Node, level int, href func(vault.ID) string) (all []graph.Area, used int) {
	for used < len(nodes) && nodes[used].Depth >= nodes[0].Depth {
		n := &nodes[used]
		a := graph.Area{ID: string(n.ID), Name: n.Title, Size: n.Tokens + 1} // an empty one is there, too
		if used++; href != nil {
			a.Href = href(n.ID)
		}
		if used < len(nodes) && nodes[used].Depth > n.Depth {
			below, deep := areas(nodes[used:], level+1, href)
			for _, b := range below {
				a.Size += b.Size
			}
			if used += deep; level+1 < areaLevels {
				a.Below = graph.LargestAreas(below, areaMost)
			}
		}
		all = append(all, a)
	}
	return all, used
}
