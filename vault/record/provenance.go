package record

import (
	"context"
	"math"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
)

// Sources tells which memory says what of the graph, as the mirror has derived it.
type Sources interface {
	// Provenance returns the ids of the nodes and edges that come from a memory, in order.
	Provenance(ctx context.Context, memory vault.ID) (nodes, edges []string, err error)

	// Alone returns those of them that come from no other memory.
	Alone(ctx context.Context, memory vault.ID) (nodes, edges []string, err error)

	// Edge returns the edge with an id; false if there is none.
	Edge(ctx context.Context, id string) (graph.Edge, bool, error)

	// Counts returns how many nodes and edges there are.
	Counts(ctx context.Context) (nodes, edges int, err error)
}

// GetProvenanceByMemory returns the ids of the nodes and edges that come from a memory.
func (s Store) GetProvenanceByMemory(ctx context.Context, id string) (nodes, edges []string, err error) {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, nil, err
	}
	nodes, edges, err = s.Sources.Provenance(ctx, vault.ID(id))
	return append([]string{}, nodes...), append([]string{}, edges...), err
}

// GetMemoriesByNodeID returns the ids of the memories that speak of a node, the newest first.
func (s Store) GetMemoriesByNodeID(ctx context.Context, nodeID string) ([]string, error) {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	found, err := s.Graph.Speaking(ctx, []string{nodeID}, math.MaxInt32)
	all := make([]string, 0, len(found[nodeID]))
	for _, id := range found[nodeID] {
		all = append(all, string(id))
	}
	return all, err
}

// CountMemoryReferences returns how many memories speak of a node.
func (s Store) CountMemoryReferences(ctx context.Context, nodeID string) (int, error) {
	all, err := s.GetMemoriesByNodeID(ctx, nodeID)
	return len(all), err
}

// LinkProvenance writes by hand into the facts of a memory that it speaks of nodes and edges
// which are in the graph already. It is one commit; what is linked already stays as it is. The
// error is CodeNotFound for an id that the graph does not have.
func (s Store) LinkProvenance(ctx context.Context, id string, nodeIDs, edgeIDs []string) error {
	if _, err := s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return err
	}
	l := link{id: id}
	for _, edge := range edgeIDs {
		e, ok, err := s.Sources.Edge(ctx, edge)
		if err != nil || !ok {
			return unknown(edge, err)
		}
		nodeIDs = append(nodeIDs[:len(nodeIDs):len(nodeIDs)], e.From, e.To)
		l.edges = append(l.edges, e)
	}
	l.names = make(map[string]string)
	for _, node := range nodeIDs {
		found, err := s.Graph.FindNamed(ctx, node)
		if err != nil || len(found) != 1 || found[0].ID != node {
			return unknown(node, err)
		}
		if l.names[node] == "" {
			l.nodes, l.names[node] = append(l.nodes, found[0]), found[0].Name
		}
	}
	if len(l.nodes) == 0 {
		return nil
	}
	_, _, err := vault.Do(ctx, s.Vault, l, vault.Options{})
	return addMissing(err)
}

func unknown(id string, err error) error {
	if err != nil {
		return err
	}
	return vault.Errorf(vault.CodeNotFound, "", "the graph has no '%s'", vault.Clip(id, 40))
}

// link adds nodes and edges to the facts of a memory.
type link struct {
	id    string
	nodes []graph.Node
	edges []graph.Edge
	names map[string]string
}

// Name is the verb's.
func (l link) Name() string { return "fact add" }

// Plan plans the change of the facts file.
func (l link) Plan(ctx context.Context, tx *vault.Tx) (out graph.FactsChanged, err error) {
	for _, n := range l.nodes {
		if out, err = (graph.AddFacts{Ref: l.id, Entity: n.Name, Type: n.Type}).Plan(ctx, tx); err != nil {
			return out, err
		}
	}
	for _, e := range l.edges {
		relation := fact.Relation{From: l.names[e.From], Relation: e.Relation, To: l.names[e.To]}
		if out, err = (graph.AddFacts{Ref: l.id, Triples: []fact.Relation{relation}}).Plan(ctx, tx); err != nil {
			return out, err
		}
	}
	return out, nil
}
