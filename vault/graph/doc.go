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
//
// # Union
//
// This part joins the knowledge graphs of a family's vaults into one.
//
// An entity has the same id in every vault: of those that speak of it, it is one node, with the
// relations of all, and as many sources as all have together. A memory is a node of its own
// vault. Of two clones of a vault, memories of one id whose files hold the same are one node;
// of two that differ, the second has the path of its project behind its id, so that each edge
// says which of them it means.
//
// Each node tells the project that it is from, and an entity of several projects all of them.
// A member's share says which of its memories count: an entity of which only others speak is
// not there.
//
//	g := graph.JoinGraphs(members)
//	walked, err := g.Walk(ctx, graph.Options{From: "PostgreSQL"})
//
// # Draw
//
// This part writes a graph in the formats of other programs: DOT for Graphviz, Mermaid for
// Markdown pages, GraphML for graph editors, and a picture as SVG.
//
// Whatever the names hold, the result is well-formed. The same graph gives the same bytes.
//
//	text, err := graph.DrawAs(graph.Mermaid, g)
//
// # Facts
//
// This part changes what is known about a memory beside its text: the entities that it
// speaks of, and how they stand to each other. [AddFacts] and [RemoveFacts] are the verbs of a person
// or an agent. What they write is marked as by hand, and stays when a model draws the facts
// of the text anew. An entry that a model has drawn is not deleted but marked as removed, so
// that it does not come back with the next drawing.
//
// The facts of a memory are a file of their own (package fact). A write merges into it by
// entries, so that what a person has typed there and not committed stays as it is.
//
//	out, err := graph.AddFacts{Ref: "pf-7k2m9qx4", Relations: []string{"db2|replicates|db1"}}.Do(ctx, v)
//	// out.Entities and out.Relations say how many entries there are now
//
// # Extract
//
// This part has a language model draw the facts of memories: the entities that a text
// speaks of, and how they stand to each other.
//
// The text is HEAD's, so facts publish nothing that is in no commit, and what looks like a
// credential is taken out of it. A long text is cut at its headings; what the parts give is
// joined by name. An answer follows [ExtractSchema], with types out of a closed list. One that does
// not is asked for once more; then what is right of it is taken, and the rest is named.
//
// Each batch of memories is one commit, so a run that ends early keeps what it has, and the
// next one goes on. What a person wrote by hand stays, and what one removed does not come
// back. A model that fails leaves the facts as they were.
//
//	chosen, err := graph.ChooseMemories(ctx, v, graph.WhichMemories{Missing: true, Stale: true})
//	run := graph.Extract{Vault: v, Model: model, By: "google/gemini-2.0-flash", AtOnce: 4}
//	result, err := run.Do(ctx, chosen)
package graph
