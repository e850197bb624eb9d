package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Options say where a walk begins and how far it goes.
type Options struct {
	From  string // an entity's name or id, or what names a memory; empty is the entities of which most speak
	Depth int    // how many edges it follows; 0 is DefaultDepth, at most MaxDepth
	Type  string // only entities of this type; empty is any
	Limit int    // of nodes; 0 is DefaultLimit
}

// Bounds of a walk.
const (
	DefaultDepth = 2
	MaxDepth     = 5
	DefaultLimit = 150
	fan          = 60 // edges that are followed from one node
)

// Graph is what a walk has met: nodes in the order of their distance, and the edges between
// them.
type Graph struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
	Total int    `json:"total"` // how many nodes it has met, of which Nodes are the first
}

// Name returns the name of a node.
func (g *Graph) Name(id string) string {
	for i := range g.Nodes {
		if g.Nodes[i].ID == id {
			return g.Nodes[i].Name
		}
	}
	return id
}

// walker is one walk.
type walker struct {
	t     vault.Tree
	m     Mirror
	o     Options
	nodes map[string]*Node
	edges map[Edge]bool
	order []string // ids as they were met
}

// Walk walks from a node, breadth first. The error is CodeNotFound for a name that neither an
// entity nor a memory has.
func Walk(ctx context.Context, v *vault.Vault, m Mirror, o Options) (Graph, error) {
	o.Depth, o.Limit = min(cmp.Or(o.Depth, DefaultDepth), MaxDepth), cmp.Or(o.Limit, DefaultLimit)
	w := &walker{t: v.Mirror.Tree, m: m, o: o, nodes: make(map[string]*Node), edges: make(map[Edge]bool)}
	at, err := w.start(ctx, v)
	for depth := 1; err == nil && depth <= o.Depth && len(at) > 0; depth++ {
		at, err = w.step(ctx, at, depth)
	}
	if err != nil {
		return Graph{}, err
	}
	return w.graph(), nil
}

// start returns the ids at which the walk begins.
func (w *walker) start(ctx context.Context, v *vault.Vault) (at []string, err error) {
	var found []Node
	if w.o.From == "" {
		found, _, err = w.m.Entities(ctx, Query{Type: w.o.Type, Limit: max(w.o.Limit/3, 1)})
		return w.meet(found, 0), err
	}
	if found, err = w.m.Named(ctx, w.o.From); err != nil || len(found) > 0 {
		return w.meet(found, 0), err
	}
	d, err := v.Reading().Open(ctx, w.o.From)
	if vault.CodeOf(err) == vault.CodeNotFound {
		return nil, vault.Errorf(vault.CodeNotFound, "`cp memory entities` lists the entities, `cp memory list` the memories", "no entity and no memory is named '%s'", vault.Clip(w.o.From, 80))
	}
	if err != nil {
		return nil, err
	}
	return w.meet([]Node{ofMemory(&d.Node)}, 0), nil
}

// ofMemory makes a node of a memory.
func ofMemory(n *vault.Node) Node {
	return Node{ID: string(n.ID), Name: n.Title, Type: n.Type, Description: n.Summary, Memory: true}
}

// meet takes in nodes, and returns the ids of the new ones.
func (w *walker) meet(all []Node, depth int) (fresh []string) {
	for _, n := range all {
		if w.nodes[n.ID] != nil || !n.Memory && w.o.Type != "" && n.Type != w.o.Type {
			continue
		}
		n.Depth = depth
		w.nodes[n.ID] = &n
		w.order = append(w.order, n.ID)
		fresh = append(fresh, n.ID)
	}
	return fresh
}

// step follows the edges of the nodes at the walk's rim. Those beyond the limit are followed
// no further.
func (w *walker) step(ctx context.Context, rim []string, depth int) (fresh []string, err error) {
	rim = rim[:max(0, min(len(rim), w.o.Limit))]
	var entities []string
	var memories []vault.ID
	for _, id := range rim {
		if w.nodes[id].Memory {
			memories = append(memories, vault.ID(id))
		} else {
			entities = append(entities, id)
		}
	}
	if fresh, err = w.fromEntities(ctx, entities, depth); err != nil {
		return nil, err
	}
	more, err := w.fromMemories(ctx, memories, depth)
	return append(fresh, more...), err
}

func (w *walker) fromEntities(ctx context.Context, ids []string, depth int) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	edges, nodes, err := w.m.Around(ctx, ids, fan)
	if err != nil {
		return nil, err
	}
	fresh := w.meet(nodes, depth)
	w.draw(edges)
	speaking, err := w.m.Speaking(ctx, ids, fan)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		for _, memory := range speaking[id] {
			more, err := w.memory(ctx, memory, depth)
			if err != nil {
				return nil, err
			}
			fresh = append(fresh, more...)
			w.draw([]Edge{{string(memory), SpeaksOf, id}})
		}
	}
	return fresh, nil
}

// memory takes in a memory by its id.
func (w *walker) memory(ctx context.Context, id vault.ID, depth int) ([]string, error) {
	if w.nodes[string(id)] != nil {
		return nil, nil
	}
	n, err := w.t.Find(ctx, string(id))
	if err != nil || n.ID != id {
		return nil, err
	}
	return w.meet([]Node{ofMemory(&n)}, depth), nil
}

func (w *walker) fromMemories(ctx context.Context, ids []vault.ID, depth int) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	edges, nodes, err := w.m.Spoken(ctx, ids)
	if err != nil {
		return nil, err
	}
	fresh := w.meet(nodes, depth)
	w.draw(edges)
	for _, id := range ids {
		linked, err := w.t.Edges(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, e := range linked[:min(len(linked), fan)] {
			if e.Other.ID == "" {
				continue // it leads nowhere
			}
			fresh = append(fresh, w.meet([]Node{ofMemory(&e.Other)}, depth)...)
			w.draw([]Edge{{string(e.From), cmp.Or(e.Verb, e.Kind), string(e.To)}})
		}
	}
	return fresh, nil
}

// draw takes in edges.
func (w *walker) draw(edges []Edge) {
	for _, e := range edges {
		w.edges[e] = true
	}
}

// graph returns the nodes that fit, and the edges between them.
func (w *walker) graph() Graph {
	g := Graph{Total: len(w.order), Nodes: []Node{}, Edges: []Edge{}}
	shown := make(map[string]bool)
	for _, id := range w.order[:min(len(w.order), w.o.Limit)] {
		shown[id] = true
		g.Nodes = append(g.Nodes, *w.nodes[id])
	}
	for e := range w.edges {
		if shown[e.From] && shown[e.To] {
			g.Edges = append(g.Edges, e)
		}
	}
	slices.SortFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.Relation, b.Relation), strings.Compare(a.To, b.To))
	})
	return g
}
