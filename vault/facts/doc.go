// Package facts changes what is known about a memory beside its text: the entities that it
// speaks of, and how they stand to each other. [Add] and [Remove] are the verbs of a person
// or an agent. What they write is marked as by hand, and stays when a model draws the facts
// of the text anew. An entry that a model has drawn is not deleted but marked as removed, so
// that it does not come back with the next drawing.
//
// The facts of a memory are a file of their own (package fact). A write merges into it by
// entries, so that what a person has typed there and not committed stays as it is.
//
//	out, err := facts.Add{Ref: "pf-7k2m9qx4", Relations: []string{"db2|replicates|db1"}}.Do(ctx, v)
//	// out.Entities and out.Relations say how many entries there are now
package facts
