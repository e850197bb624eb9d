// Package pool asks several vaults side by side and ranks what they find in one list, as if
// all memories lay in one vault.
//
// First the statistics of the vaults are added up ([Gather]). By these each vault chooses and
// scores its own memories, with filters and limits inside its index, so that scores can be
// compared. Equal ones are ordered by the paths of the projects, and then by the paths in the
// vaults.
//
// A vault that cannot be read costs its own memories and a [Failure], never the answer. Each
// vault is read as it is when it is asked; they are not frozen together.
//
//	members := []pool.Member{{Vault: a, Options: o, Origin: ofA}, {Vault: b, Options: o, Origin: ofB}}
//	page, failed, err := pool.Search(ctx, members, "allocation stuck")
package pool
