// Package gitstore reads and writes the git repository of a vault. It finds the
// repository, reads HEAD, trees and blobs, and records edits as one commit. It never
// touches the work tree.
//
//	repo, err := gitstore.Find(dir)
//	head, err := repo.Head(ctx)
//	done, err := repo.Publish(ctx, vault.Commit{Op: op, Message: "memory: add\n", Edits: edits}, state)
//
// Each package below it has one subject: plumb runs git and reads its settings,
// object reads and writes objects, gitindex reads and writes the index, past reads
// commits, remote talks with other repositories, and repair examines a broken one.
//
// # One edit, two versions
//
// [Repo.Publish] makes each edit on the version of the file in HEAD, for the commit,
// and also on the version in git's index. So what a person has staged stays staged,
// and does not get into the commit.
//
// # Order and locks
//
// Slow work comes first. The objects, the new index and a record of what is about to
// happen (mark/cas) are on the disk before Publish takes a lock. Then it takes git's
// own locks: index.lock, HEAD.lock and <ref>.lock. It checks that HEAD, the branch
// and the index have not changed, renames the new index into place, and renames the
// branch last. That rename is the commit point. The index is never behind HEAD.
//
// Each lock is a hard link to a file in mark/. If a crash leaves a lock behind, the
// same inode proves that it is ours. [Repo.Recover] removes such locks and no others.
// The record tells it whether to keep or to undo an interrupted publication.
//
// # Two ways to write
//
// The native engine works in this process: it reads and makes objects and splices
// the index. It asks git only for settings and attributes. It knows repositories
// with SHA-1, an index of version 2 or 3, and no conversion between blobs and files.
// For all others the plumbing engine runs the git command, once for each object: a
// write takes about 15 processes instead of two. Both engines take the same locks
// and pass the same tests.
//
//	repo, err := gitstore.Find(dir)
//	head, err := repo.Head(ctx) // the commit, the branch, and what is under way: a rebase, a merge
package gitstore
