// Package record is the vault for programs that think in records: a memory has a topic, a
// context, decisions, why, metadata and a source, and is linked to the nodes and edges of the
// graph that come from its facts.
//
// [Store] reads and writes records one by one, with their provenance, and searches nodes of
// the graph. [Memories] is for those who give a text and want the facts of it drawn before the
// call returns. Both are thin: a record is a memory's file (packages vault and vault/tree),
// provenance is its facts file (package vault/graph) as the mirror has derived it. So each
// write is one commit, and a person's edit counts as any other.
//
//	s := record.Store{Vault: v, History: h, Graph: mirror, Sources: mirror}
//	r := &record.MemoryRecord{Topic: "Databases", Context: "The primary is db1."}
//	err := s.AddMemory(ctx, r) // r.ID is its id now
//	_, err = s.GetMemory(ctx, "pf-none")
//	errors.Is(err, record.ErrMemoryNotFound) // true
package record
