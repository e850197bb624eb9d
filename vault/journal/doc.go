// Package journal writes what happened: decisions, learnings, blockers and the like, as
// entries in the order of time.
//
// The tree holds what one should know. The journal holds what was decided, tried or found
// out. An entry is captured in a moment and asks for no place and no trigger phrase. Nothing
// gets from the journal into the tree without a decision of a person (package tier).
//
// # Files
//
// The root of the journal is journal.md, which the first capture makes. It keeps no
// pointers to the entries, and all clones write the same bytes. Where that name is taken by
// something else, cp-journal.md is made.
//
//	journal.md                                  journal: true, pointers: none
//	journal/2026/11/decision-use-postgresql.md  type: decision
//
// The year and the month are those of the entry's time in UTC. Both folders are transparent.
//
// # Writing
//
// [Capture] writes an entry and [Resolve] closes one. Both are verbs:
//
//	out, receipt, err := vault.Do(ctx, v, journal.Capture{Kind: "decision", Title: "Use PostgreSQL"}, vault.Options{Queue: true})
//	fmt.Println(out.ID, out.Path)
package journal
