// Package exchange brings a vault together with the branch upstream of its own.
//
// # A pull
//
//	fetch     through git, with the person's credentials; the vault is not locked
//	join      the two commits in the object database, by git merge-tree
//	settle    what git could not: both versions of a text stay, marked, in the file
//	land      as any other write: lock, intent, files, index, branch
//	sync      the structural pass, in a commit of its own
//
// Nothing is forced, nothing asks, and nothing leaves the repository in the
// middle of a merge. A change that cannot be taken over whole is refused whole.
//
//	x := &exchange.Exchange{Vault: v, Remote: repo, History: exchange.History{Ancestry: repo, Joins: repo, Outbound: repo, Keeper: repo}}
//	pulled, err := x.Pull(ctx, exchange.Pull{DryRun: true}) // what would come
//	if err == nil {
//		pushed, err := x.Push(ctx, exchange.Push{Sync: true})
//	}
package exchange
