// Package remake finds finished writes that git took back although nobody asked for it,
// and has them made again.
//
// git reset --hard, which every git stash runs, may put the branch back over a
// commit that came in between, and the files with it. A git merge that fails may
// put index and files back in the same way. An acknowledged write must come back by
// itself. So the intent of a finished write is kept on the shelf for a while, as
// <op>.done. If a reset took the write, the intent is put back as <op>.json. The rest is
// recovery: every step looks whether it is done, and a person's later text and commits
// stay. A crash on the way loses nothing, since the intent is on the disk.
//
// Every holder of the lock looks, and so does every commit: no commit is built on a
// branch from which a write is missing.
//
//	shelf := remake.Shelf{Dir: tx, Repo: repo, Hook: writer, Now: time.Now}
//	err := shelf.Put(op)              // the write is finished
//	notes, err := shelf.Rewound(ctx)  // under the next lock, before what waits in tx is finished
//	notes, err = shelf.Reverted(ctx)  // and after it
package remake
