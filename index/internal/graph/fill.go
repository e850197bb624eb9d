package graph

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/fact"
)

// Filler fills empty tables: it gathers what all sources say, and writes each row once and
// in the order of its table. The rows are those that a [Writer] makes. It keeps 24 bytes and
// the texts of each node of a source, and 40 of each edge.
type Filler struct {
	w         *Writer
	sources   []source
	nodes     []said
	edges     []linked
	texts     texts
	relations []string
	numbers   map[string]uint32 // of the relations
}

// source is who says it, and when it was made.
type source struct {
	name string
	at   int64
}

// said is what a source says of a node: its name, its type and its description.
type said struct {
	id     int64
	texts  place
	source uint32
	hand   bool
}

// linked is an edge of a source.
type linked struct {
	id, from, to     int64
	relation, source uint32
	hand             bool
}

// NewFiller returns a Filler in a transaction.
func NewFiller(t *sqlite.Tx) *Filler {
	return &Filler{w: NewWriter(t), numbers: make(map[string]uint32)}
}

// Set takes in what a source says, once for each source.
func (f *Filler) Set(name string, at int64, l Links) {
	from := uint32(len(f.sources))
	f.sources = append(f.sources, source{name, at})
	for _, n := range l.Nodes {
		f.nodes = append(f.nodes, said{n.ID, f.texts.keepTexts(n.Name, n.Type, n.Description), from, n.Hand})
	}
	for _, e := range l.Edges {
		f.edges = append(f.edges, linked{e.ID, e.From, e.To, f.relationNumber(e.Relation), from, e.Hand})
	}
}

// relationNumber returns the place of a relation among all.
func (f *Filler) relationNumber(relation string) uint32 {
	n, known := f.numbers[relation]
	if !known {
		n = uint32(len(f.relations))
		f.relations, f.numbers[relation] = append(f.relations, relation), n
	}
	return n
}

// Write writes the rows.
func (f *Filler) Write() {
	slices.SortFunc(f.nodes, func(a, b said) int { return cmp.Or(cmp.Compare(a.id, b.id), f.older(a.source, b.source)) })
	for i := 0; i < len(f.nodes); {
		i = f.writeNode(i)
	}
	f.nodes, f.texts = nil, texts{}
	slices.SortFunc(f.edges, func(a, b linked) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(f.sources[a.source].name, f.sources[b.source].name))
	})
	for i, e := range f.edges {
		switch {
		case i == 0 || f.edges[i-1].id != e.id:
			f.w.t.Exec(intoEdgeRows, e.id, e.from, f.relations[e.relation], e.to)
		case f.edges[i-1].source == e.source:
			continue
		}
		f.w.t.Exec(intoEdges, e.id, f.sources[e.source].name, e.hand)
	}
	f.edges = nil
}

// older compares sources by when they were made, then by their names.
func (f *Filler) older(a, b uint32) int {
	x, y := f.sources[a], f.sources[b]
	return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.name, y.name))
}

// writeNode writes the rows of the node that begins at i, and returns where the next one begins.
func (f *Filler) writeNode(i int) int {
	first, n := f.nodes[i], node{}
	var d described
	end := i
	for ; end < len(f.nodes) && f.nodes[end].id == first.id; end++ {
		s := &f.nodes[end]
		if end > i && s.source == f.nodes[end-1].source {
			continue
		}
		from, text := f.sources[s.source], f.texts.groupTexts(s.texts)
		f.w.t.Exec(intoNodes, s.id, from.at, from.name, text[0], text[2], s.hand)
		if end == i {
			n.name, n.kind = text[0], text[1]
		}
		if n.sources < maxTold {
			d.addText(text[2])
		}
		n.sources++
	}
	n.description = d.String()
	f.w.t.Exec(intoNodeRows, first.id, n.name, n.kind, n.description, query.HashName(fact.FoldName(n.name)), n.sources)
	f.w.indexTerms(intoTerms, first.id, n)
	return end
}
