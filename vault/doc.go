// Package vault is the hall of the house: what a memory is, what a write is,
// and the two doors through which everything reads and writes.
//
// # The sentence
//
// A memory is a file; a write is one commit; everything else is a mirror that
// can be thrown away.
//
// # The tree
//
// A vault is a folder of Markdown files in a git repository, marked by
// .cp/vault.yaml. Position is parenthood: the children of x.md are the
// memories in x/. No key in a file names its parent, so nothing can drift.
//
//	deployment.md               a root memory
//	deployment/                 its children live here
//	  troubleshooting.md
//	  troubleshooting/
//	    nomad-stuck.md
//	notes/2026/idea.md          a folder without a file is transparent: a root
//
// README.md, index.md and _index.md inside x/ stand for x.md where there is
// none. A file of another type than "memory" is transparent too.
//
// The identity of a memory is the id in its front matter ([ID]); its file name
// is a label. A parent's file ends with a pointer block (package pointer): for
// each child its id, title and a trigger phrase that says when one needs it.
// The phrase stands twice, in the child's summary key and in the parent's
// block, and is always written to both in one commit.
//
// # Reading and writing
//
// [Vault.View] is the only way to read: it brings the mirror up to date with
// the disk first, as far as the question needs ([Scope]).
//
// [Do] is the way to write. A [Verb] is a value that plans on a [Tx], the vault
// as it will be after what is planned so far; Do takes the lock, catches up,
// has the verb plan, hands the change to the [Store], which makes it durable,
// and applies it to the [Mirror]. A plan may be called again; a dry run does not
// commit. Models and people are asked before Do, never inside it. The
// merges of an exchange enter below it, through [Vault.Update].
//
// # Edits
//
// A [Change] does not hold the new text of a file that exists; it holds what
// is to be done to it ([Step]), because it is done more than once: to the
// version in HEAD for the commit, to the staged version for the index, and to
// the file on disk. So a person's uncommitted prose stays uncommitted and in
// place, and the commit holds our edit only.
//
// What makes, moves and shows memories is not here but in package vault/tree,
// whose verbs write through [Do].
//
// The package does no I/O: the disk, git, SQLite, the clock and randomness
// come in through the ports [Store], [Mirror] and [Usage] and the fields of
// [Vault].
//
//	moved, receipt, err := vault.Do(ctx, v, tree.Move{Ref: "pf-aa5", To: "pf-aa1"}, vault.Options{})
//	err = v.View(ctx, vault.Scope{}, func(t vault.Tree) error {
//		roots, err := t.Roots(ctx)
//		return err
//	})
package vault
