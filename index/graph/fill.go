package graph

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/index/naming"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/fact"
)

// Filler fills empty tables: it gathers what all sources say, and writes each row once and
// in the order of its table. The rows are those that a [Writer] makes.
type Filler struct {
	w     *Writer
	nodes []said
	edges []linked
}

// said is what a source says of a node.
type said struct {
	Node
	at     int64
	source string
}

// linked is an edge of a source.
type linked struct {
	Edge
	source string
}

// NewFiller returns a Filler in a transaction.
func NewFiller(t *sqlite.Tx) *Filler { return &Filler{w: NewWriter(t)} }

// Set takes in what a source says, once for each source.
func (f *Filler) Set(source string, at int64, l Links) {
	for _, n := range l.Nodes {
		f.nodes = append(f.nodes, said{n, at, source})
	}
	for _, e := range l.Edges {
		f.edges = append(f.edges, linked{e, source})
	}
}

// Write writes the rows.
func (f *Filler) Write() {
	slices.SortFunc(f.nodes, func(a, b said) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.at, b.at), cmp.Compare(a.source, b.source))
	})
	for i := 0; i < len(f.nodes); {
		i = f.node(i)
	}
	slices.SortFunc(f.edges, func(a, b linked) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.source, b.source)) })
	for i, e := range f.edges {
		switch {
		case i == 0 || f.edges[i-1].ID != e.ID:
			f.w.t.Exec(intoEdgeRows, e.ID, e.From, e.Relation, e.To)
		case f.edges[i-1].source == e.source:
			continue
		}
		f.w.t.Exec(intoEdges, e.ID, e.source, e.Hand)
	}
	f.nodes, f.edges = nil, nil
}

// node writes the rows of the node that begins at i, and returns where the next one begins.
func (f *Filler) node(i int) int {
	first, n := f.nodes[i], node{}
	var d described
	end := i
	for ; end < len(f.nodes) && f.nodes[end].ID == first.ID; end++ {
		s := &f.nodes[end]
		if end > i && s.source == f.nodes[end-1].source && s.at == f.nodes[end-1].at {
			continue
		}
		f.w.t.Exec(intoNodes, s.ID, s.at, s.source, s.Name, s.Description, s.Hand)
		if n.sources < maxTold {
			d.add(s.Description)
		}
		n.sources++
	}
	n.name, n.kind, n.description = first.Name, first.Type, d.String()
	f.w.t.Exec(intoNodeRows, first.ID, n.name, n.kind, n.description, naming.Hash(fact.Fold(n.name)), n.sources)
	f.w.index(intoTerms, first.ID, n)
	return end
}
