// Package queue is a person's review of a family: what waits for a decision in all of its vaults,
// in one order, and the decisions, each of which is a write in the vault that holds the item.
//
// It promises that a decision is made about an item as the person saw it, in one commit, and that
// it can be taken back.
//
//	r := queue.Begin(t, fam)
//	defer r.Close()
//	page, err := r.Queue(ctx, Query{Limit: 20})
package queue
