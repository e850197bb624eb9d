// Package review lists what waits for a person's decision.
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
//	items := []*review.Item{
//		{Why: review.Below, ID: "pf-1", Needs: "1/2, needs 1 more"},
//		{Why: review.Observation, ID: "pf-2"},
//	}
//	review.Sort(items) // pf-2, pf-1
package review
