// Package worktree is the durable side of a vault: the files of the work tree,
// with a git repository behind the ports of [Repo].
//
// # A write
//
// Under the vault's lock a change is checked, planned on what is on disk and
// written down as one intent: a checksummed, synced file in tx/. From then on
// running and recovering are the same function, apply, and it only goes
// forward:
//
//	create    temp file, sync, rename to a name that must be free
//	change    temp file, sync, exchange, and look at what came out
//	move      a second hard link at the new place
//	commit    Repo.Publish: the commit point
//	clear     the old names of what moved, the removed files, emptied folders
//
// Seen with plain git, every step before the commit only adds; removals come after it. A
// killed process leaves an intent, and the next Lock applies it again: every step looks
// first whether it is done.
//
// # Never a byte of a person's
//
// Nothing is written in place and nothing is renamed over. The name of a
// person's file is only exchanged or taken out, and the file is looked at then. A
// save that we had not seen goes back. Replaced and removed
// inodes are kept in displaced/ for a day to a week, since an editor may still hold
// one open, and are looked at again.
//
// # Facts
//
// A facts file goes into the commit of its memory's edit, by the same intent. Its text is no
// Markdown, and its name is made of the memory's id. So it has no second name: where somebody
// has taken it meanwhile, theirs stays on disk and ours is in the commit.
//
// # State
//
// <git directory>/cp/<vault>/, or the folder that [Options] names, holds
//
//	lock, holder    the flock and who has it
//	tx/             intents: <op>.json; those whose commit is made, for an hour: <op>.done
//	displaced/      replaced and removed inodes
//	outbox/         writes that wait for the repository: <op>.json
//	mark/, mended   the repository's own
//	ledger, told    the acknowledged writes, and what was told of them: see package remake
//	committed       .cp/vault.yaml as a commit has it, for the next sync on that commit
//
// # The way in
//
//	store, err := worktree.Open(root, repo, worktree.Options{Now: time.Now, Random: rand.Reader})
//	v := &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Now: time.Now}
//
// # Sections
//
// This part writes the sections of package core into the files that agents load.
//
// Such a file is a person's and may be anywhere: it lies outside of the vault and in no commit
// of ours. It is read, changed and exchanged for the new text in one step. What comes out is
// looked at: a file that changed meanwhile goes back, and is written again from its new text.
// The earlier file is kept. A link stays a link and its target is written; the mode stays.
//
// The promise: a file is replaced whole or not at all, and a second run of the same write
// changes nothing. What is no regular file, or may not be written, is refused.
//
//	w := worktree.SectionWriter{Op: op, Keep: keep}
//	err := w.Write(vault.Section{File: "/code/CLAUDE.md", Key: "pf/pf-7k2m9qx4", Text: "## Deploys\n"})
//	err = w.Write(vault.Section{File: "/code/CLAUDE.md", Key: "pf/pf-7k2m9qx4"}) // takes it out
package worktree
