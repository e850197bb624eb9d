// Package branch says what a page of the children of a memory is, for those who show a large
// folder piece by piece, and what a memory is found by while a person types.
//
//	page, err := mirror.Branch(ctx, branch.Options{Of: id, From: 200, Most: 200})
package branch
