// Package union joins the knowledge graphs of a family's vaults into one.
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
//	g := union.Join(members)
//	walked, err := g.Walk(ctx, graph.Options{From: "PostgreSQL"})
package union
