package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/cp-memory/cp/vault/fact"
)

// Links are what one source says of the graph, each node and edge once.
type Links struct {
	Nodes []Node
	Edges []Edge
}

// Node is an entity of one source.
type Node struct {
	ID                      int64
	Name, Type, Description string
	Hand                    bool // a person wrote it
}

// Edge is a relation of one source.
type Edge struct {
	ID, From, To int64
	Relation     string // folded
	Hand         bool
}

// Thing is the type of an end of a relation that no entity of the source has.
const Thing = "thing"

// Undated is the time of a source that says none: it comes after all others.
const Undated = math.MaxInt64

// NodeID returns the id of an entity.
func NodeID(name, kind string) int64 { return hashParts(fact.FoldName(name), kind) }

// edgeID returns the id of a relation between two nodes.
func edgeID(from int64, relation string, to int64) int64 {
	return hashParts(fmt.Sprintf("%016x", uint64(from)), relation, fmt.Sprintf("%016x", uint64(to)))
}

// hashParts hashes the parts, with a NUL between them.
func hashParts(parts ...string) int64 {
	var b []byte
	for i, p := range parts {
		if i > 0 {
			b = append(b, 0)
		}
		b = append(b, p...)
	}
	sum := sha256.Sum256(b)
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// LinksOf returns what a facts file says of the graph.
func LinksOf(f *fact.Facts) Links {
	entities, relations := f.Live()
	l := Links{Nodes: make([]Node, 0, len(entities)), Edges: make([]Edge, 0, len(relations))}
	ends := make(map[string]int64, len(entities))
	add := func(e fact.Entity) int64 {
		n := Node{ID: NodeID(e.Name, e.Type), Name: e.Name, Type: e.Type, Description: e.Description, Hand: e.Hand}
		if name := fact.FoldName(e.Name); ends[name] == 0 {
			ends[name] = n.ID
		}
		l.Nodes = append(l.Nodes, n)
		return n.ID
	}
	for _, e := range entities {
		add(e)
	}
	end := func(name string, hand bool) int64 {
		if id := ends[fact.FoldName(name)]; id != 0 {
			return id
		}
		return add(fact.Entity{Name: name, Type: Thing, Hand: hand})
	}
	for _, r := range relations {
		e := Edge{From: end(r.From, r.Hand), To: end(r.To, r.Hand), Relation: fact.FoldName(r.Relation), Hand: r.Hand}
		e.ID = edgeID(e.From, e.Relation, e.To)
		l.Edges = append(l.Edges, e)
	}
	return l
}
