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
//
// [Handoff] leaves word for the next session on a branch, and [TakeUp] closes that once a session
// was told.
//
// # Review
//
// This part lists what waits for a person's decision.
//
// The subject is the queue: observations that enough sessions made, entries that ask for a
// place in the tree, memories that are ready for the agents' own files, copies there that
// are out of date, memories that say nearly what another one says, memories without a
// phrase, memories whose deferral has ended, and observations that too few sessions made.
// They come in that order ([Reason]).
//
// The promise: a queue is made of what the vault holds now, and making it changes nothing.
// The same vault at the same moment gives the same queue. An item carries the evidence that
// a decision needs, and the hash of the file that the evidence was taken from, so that a
// decision about an older text is refused instead of made.
//
// The order is the same for all who show it:
//
//	items := []*journal.Item{
//		{Why: journal.IsBelow, ID: "pf-1", Needs: "1/2, needs 1 more"},
//		{Why: journal.ReasonObservation, ID: "pf-2"},
//	}
//	journal.SortItems(items) // pf-2, pf-1
package journal
