// Package trail finds the commits that brought files, through moves.
//
// It is told what commits brought, the newest first. Where a file came from is its own way
// through the history, and does not depend on other files. So a trail through new commits
// goes on where an older one began, and the index keeps what was found (store.go).
//
//	t := trail.New([]vault.Path{"y.md"})
//	_, err := commits.Arrivals(ctx, "", head, t.Add)
//	t.End()
//	c := t.Commits[0]               // c.Files is ["y.md"]: this commit brought it, perhaps as x.md
//	incomplete, err := t.Save(tx, true)
package trail
