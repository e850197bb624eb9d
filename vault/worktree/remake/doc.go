// Package remake finds what git took back of finished writes though nobody asked
// for it, and has them made again.
//
// git reset --hard, which every git stash runs, may put the branch back over a
// commit that came in between, and the files with it. A git merge that fails may
// put index and files back in the same way. What was acknowledged must come back
// by itself. So an intent whose commit is made is not thrown away at once: it is
// put on the shelf, as <op>.done, and one that a reset took becomes an intent
// again, <op>.json. The rest is recovery: every step of it looks whether it is
// done, and what a person has typed or committed since stays. When that is written
// down, a crash on the way loses nothing either.
//
// Whoever takes the lock looks, and so does every commit: none is built on a
// branch from which something is missing.
//
//	shelf := remake.Shelf{Dir: tx, Repo: repo, Hook: writer, Now: time.Now}
//	err := shelf.Put(op)              // the write is finished
//	notes, err := shelf.Rewound(ctx)  // under the next lock, before what waits in tx is finished
//	notes, err = shelf.Reverted(ctx)  // and after it
package remake
