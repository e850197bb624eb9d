// Package gitstore is the git repository behind a vault: it finds it, reads
// HEAD, trees and blobs, and records edits as one commit without touching the
// work tree.
//
//	repo, err := gitstore.Find(dir)
//	head, err := repo.Head(ctx)
//	done, err := repo.Publish(ctx, vault.Commit{Op: op, Message: "memory: add\n", Edits: edits}, state)
//
// The rooms below it each hold one subject: plumb runs git and reads its settings,
// object and gitindex are its files, past is what commits hold, remote talks with
// other repositories, and repair looks at a broken one.
//
// # The edit made twice
//
// [Repo.Publish] makes each edit on HEAD's version of a file, for the commit,
// and again on the index's version, so that what a person staged stays staged
// and what they did not commit stays out of the commit.
//
// # Order and locks
//
// Everything slow comes first: objects, the new index and the record of what
// is about to happen (mark/cas) are on the disk before a lock is taken. Then,
// under git's own index.lock, HEAD.lock and <ref>.lock, HEAD, the branch and the
// index are looked at once more; the new index is renamed into place, and last
// the branch: that rename is the commit point. The index is never behind HEAD.
//
// Each lock is a hard link to a file in mark/, so that a lock left by a crash
// is provably ours: it is the same inode. [Repo.Recover] removes those and no
// others, and undoes or keeps a half-made publication by its record.
//
// # Two ways to write
//
// The native engine reads objects, makes them and splices the index in this
// process; git is asked for the settings and the paths' attributes only. It
// knows plain repositories: SHA-1, an index of version 2 or 3, and no conversion
// between blobs and files. For everything else the plumbing engine asks the git
// command, at one process for each object: a write takes some 15 processes
// instead of two. Both take the same locks and pass the same tests.
//
//	repo, err := gitstore.Find(dir)
//	head, err := repo.Head(ctx) // the commit, the branch, and what is under way: a rebase, a merge
package gitstore
