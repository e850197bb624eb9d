// Package remake knows which writes were acknowledged, finds those that git has taken back,
// brings back by itself what nobody asked git to take, and tells of every other one once.
//
// # What there is to see
//
// A write that was acknowledged is in a commit of the branch, in git's index and on disk.
// Afterwards a person's git may have left it in one of these states:
//
//	the branch was moved    its commit is off the branch: a reset, a dropped commit, and the
//	                        late git reset --hard, which every git stash runs: it read HEAD,
//	                        a write came in between, and it puts the branch back over that
//	the index takes it back HEAD has it, and index and files are as before it: git checkout
//	                        of an earlier version, git rm, and a git merge that fails: it puts
//	                        index and files back to what they were when it began
//	a commit took it back   the commit is in the history, and HEAD's files are as before it:
//	                        git revert, git rm and a commit, and git commit -a after such a merge
//
// A write of ours that took it away (an undo, a deletion, a later change, here or in a clone
// whose commits were pulled) leaves it in none of them: files are compared with what the
// newest write made of them, and a commit that names an operation is no loss. Nor is a file
// that a person edited, moved, rebased or amended lost.
//
// The first is found in the branch's reflog. The other two are one question, put to the index
// and to HEAD: which of the writes is every file as it was before it?
//
// # What is proven
//
// A late reset says in the branch's reflog that it moves to HEAD, and moves: no wish of a
// person's does. A merge that failed wrote ORIG_HEAD when it began: it names the commit below
// the write, within ten seconds of the write, and the files are as that commit has them; no
// commit says that it reverts. A merge that had nothing to do leaves the same trace, so
// somebody who takes a write back by hand within seconds of both is mistaken for it, once.
// What these two took comes back by itself: what a commit took once, what the index takes
// back twice at most for one ORIG_HEAD. All else may be meant: it stays as it is, and is told
// with the command that brings it back.
//
// # How
//
// The ledger (ledger.go) holds the last 256 acknowledged writes of 30 days: operation, branch,
// the commits before and after. Each command reads it and HEAD. Only where HEAD is neither
// where the last write nor where the last look has left it, git is asked for what changed
// since. A write that was told of, in the index or in HEAD, is forgotten: it is told once.
//
// The intent of a finished write is kept on the shelf for an hour, as <op>.done. To make a
// write again it is put back as <op>.json. The rest is recovery: every step looks whether it
// is done, and a person's later text and commits stay. A crash on the way loses nothing,
// since the intent is on the disk. What is older is told.
//
// Every holder of the lock looks, and so does every commit: no commit is built on a branch
// from which a late reset took a write, or on an index in which a merge took one back.
//
//	shelf := remake.Shelf{Dir: tx, Repo: repo, Hook: writer, Now: time.Now, Refs: repo}
//	err := shelf.Put(op)              // the write is finished
//	notes, err := shelf.Rewound(ctx)  // under the next lock, before what waits in tx is finished
//	notes, err = shelf.FindReversal(ctx)  // and after it
//	notes, err = shelf.Missing(ctx)   // where the notes are sure to be told
package remake
