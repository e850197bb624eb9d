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
	Depth int    `flag:"depth" help:"how many <edges> to follow, 1-5"` // 0 is DefaultDepth
	Type  string `flag:"type" help:"only entities that are this: a <word>"`
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
	m      Mirror
	o      Options
	depths map[string]int // of the nodes that were met, by their ids
	edges  map[Edge]bool
	order  []string // ids as they were met
}

// Walk walks from a node, breadth first. The error is CodeNotFound for a name that neither an
// entity nor a memory has.
func Walk(ctx context.Context, v *vault.Vault, m Mirror, o Options) (Graph, error) {
	return WalkWith(ctx, func(ctx context.Context, ref string) (string, error) {
		d, err := v.Reading().Open(ctx, ref)
		if err != nil {
			return "", err
		}
		return string(d.Node.ID), nil
	}, m, o)
}

// WalkWith is Walk where open returns the id of the memory that a person names. The error is
// CodeNotFound if there is none.
func WalkWith(ctx context.Context, open func(ctx context.Context, ref string) (string, error), m Mirror, o Options) (Graph, error) {
	o.Depth, o.Limit = min(cmp.Or(o.Depth, DefaultDepth), MaxDepth), cmp.Or(o.Limit, DefaultLimit)
	w := &walker{m: m, o: o, depths: make(map[string]int), edges: make(map[Edge]bool)}
	if err := w.meetFirst(ctx, open); err != nil {
		return Graph{}, err
	}
	rim := w.order
	for depth := 1; depth <= o.Depth && len(rim) > 0; depth++ {
		met := len(w.order)
		if err := w.step(ctx, rim, depth); err != nil {
			return Graph{}, err
		}
		rim = w.order[met:]
	}
	return w.graph(ctx)
}

// meetFirst meets the nodes at which the walk begins.
func (w *walker) meetFirst(ctx context.Context, open func(context.Context, string) (string, error)) error {
	if w.o.From == "" {
		found, _, err := w.m.Entities(ctx, Query{Type: w.o.Type, Limit: max(w.o.Limit/3, 1)})
		w.meetNodes(found)
		return err
	}
	found, err := w.m.FindNamed(ctx, w.o.From)
	if err != nil || len(found) > 0 {
		w.meetNodes(found)
		return err
	}
	id, err := open(ctx, w.o.From)
	if vault.CodeOf(err) == vault.CodeNotFound {
		return vault.Errorf(vault.CodeNotFound, "`cp memory entities` lists the entities, `cp memory list` the memories", "no entity and no memory is named '%s'", vault.Clip(w.o.From, 80))
	}
	if err == nil {
		w.meet(id, 0)
	}
	return err
}

func (w *walker) meetNodes(all []Node) {
	for _, n := range all {
		if w.o.Type == "" || n.Type == w.o.Type {
			w.meet(n.ID, 0)
		}
	}
}

// meet takes in a node, unless it was met before.
func (w *walker) meet(id string, depth int) {
	if _, met := w.depths[id]; !met {
		w.depths[id] = depth
		w.order = append(w.order, id)
	}
}

// step follows the edges of the nodes at the walk's rim. Those beyond the limit are followed
// no further.
func (w *walker) step(ctx context.Context, rim []string, depth int) error {
	edges, err := w.m.Around(ctx, rim[:min(len(rim), w.o.Limit)], w.o.Type, fan)
	for _, e := range edges {
		w.meet(e.From, depth)
		w.meet(e.To, depth)
		w.edges[e] = true
	}
	return err
}

// graph returns the nodes that fit, and the edges between them.
func (w *walker) graph(ctx context.Context) (Graph, error) {
	g := Graph{Total: len(w.order), Nodes: []Node{}, Edges: []Edge{}}
	first := w.order[:min(len(w.order), w.o.Limit)]
	known, err := w.m.Nodes(ctx, first)
	if err != nil {
		return g, err
	}
	for _, id := range first {
		if n, ok := known[id]; ok {
			n.Depth = w.depths[id]
			g.Nodes = append(g.Nodes, n)
		}
	}
	for e := range w.edges {
		_, from := known[e.From]
		_, to := known[e.To]
		if from && to {
			g.Edges = append(g.Edges, e)
		}
	}
	slices.SortFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.Relation, b.Relation), strings.Compare(a.To, b.To))
	})
	return g, nil
}
