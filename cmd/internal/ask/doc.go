// Package ask has the vaults of a family answer as one. It opens each vault once, asks them side
// by side, and says of each result which project it is from. A member that cannot be read is
// told in one warning, and the others answer.
//
// It promises that a vault without a family is read as if there were no families: it is the
// family of one, no other vault is opened, and no row is merged. Writes concern one vault; what
// is asked of the others before or after one is told here, too.
//
// What ranks over several vaults takes the [Asked] of a family: open vaults, each with the
// options by which its files are chosen.
//
//	fam, err := ask.Open(ctx, t, vault.Scope{})
//	defer fam.Close()
//	page, err := fam.List(ctx, app.Filter{Labels: []string{"deploy"}})
package ask
