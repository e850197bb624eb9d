// Package object reads and writes git's objects: loose ones, packs, trees and
// blobs, and the ids that name them.
//
// There are two databases behind [Store]: [DB] reads and writes the files in this
// process, for plain repositories of SHA-1; [Command] asks the git command, which
// knows them all. Once Flush has returned, written objects are on the disk, synced and too
// young for a prune. Complete tells whether a foreign prune has taken some all the same.
//
//	db, err := object.Open(filepath.Join(git.CommonDir(), "objects"), object.IDs{})
//	defer db.Close()
//	id, err := object.TreeOf(ctx, db, commit)
//	tree, err := object.OpenTree(ctx, db, object.IDs{}, id)
//	err = tree.Put(ctx, "notes/x.md", object.Entry{Mode: object.ModeFile, ID: blob})
//	id, err = tree.Write(ctx) // only the folders that have changed
//	err = db.Flush(ctx)
package object
