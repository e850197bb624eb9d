// Package graph walks the knowledge graph of a vault: from memories to what they speak of,
// and on to other memories that speak of the same.
//
// Its nodes are of two sorts. An entity comes from the facts of memories: its id begins with
// "n-" and is the same in every clone. A memory is a node by its own id. Edges are the
// relations between entities, "speaks of" from a memory to an entity, "is" from an entity to
// the memory that has its name, and the links and references between memories. A link under a
// heading Relations has the verb that stands before it: "- depends on [[Target]]".
//
// A walk is bounded, and says of how many nodes it shows some. The same vault and question
// give the same answer, in the same order.
//
//	g, err := graph.Walk(ctx, v, mirror, graph.Options{From: "PostgreSQL", Depth: 2})
//	for _, e := range g.Edges {
//		fmt.Println(g.Name(e.From), e.Relation, g.Name(e.To))
//	}
package graph
