// Package graph derives the nodes and edges of the knowledge graph from facts files, and
// keeps them in the mirror's tables.
//
// A source is a memory, by its id, or an untracked facts file, by its path. Which source says
// what stands in memory_nodes and memory_edges; a node is there as long as one source speaks
// of it. Its id is 64 bits of the SHA-256 of its folded name and its type, so that every
// clone gives it the same one, and two memories that say PostgreSQL share a node. The name is
// that of the oldest memory that has it, and the description is made of all of theirs.
//
//	w := graph.NewWriter(tx)
//	w.Set("pf-7k2m9qx4", created, graph.Of(facts)) // what the memory says now
//	w.Set("pf-3hd8w2na", 0, graph.Links{})         // nothing any more
//	w.Settle()                                     // makes the rows of the nodes that this touches
//
// # Factfiles
//
// This part keeps the rows of the facts files: it finds which of them have changed,
// reads those, and has package graph derive what they say.
//
// What a facts file says counts while its memory is there. So the rows follow when a file
// changes, and also when a memory comes, goes, or is made to be of another time.
//
//	w, err := graph.LookAtFactFiles(t, src, folders, scope)  // in a read transaction: what is to be done
//	if !w.Empty() {
//		w.Apply(t, src, ids)                      // in a write transaction, after the memories' rows
//	}
package graph
