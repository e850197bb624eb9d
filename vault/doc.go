// Package vault is the core: it defines memories and writes, and it has the two
// functions through which every command reads and writes, [Vault.View] and [Do].
//
// # The rule behind it all
//
// A memory is a file. A write is one commit. Everything else, such as the index,
// is a mirror that can be thrown away.
//
// # The tree
//
// A vault is a folder of Markdown files in a git repository, marked by
// .cp/vault.yaml. The place of a file says who its parent is: the children of x.md
// are the memories in x/. No key in a file names the parent, so the two cannot
// disagree.
//
//	deployment.md               a root memory
//	deployment/                 its children live here
//	  troubleshooting.md
//	  troubleshooting/
//	    nomad-stuck.md
//	notes/2026/idea.md          a root: no file stands for notes/ or notes/2026/
//
// If there is no x.md, then README.md, index.md or _index.md inside x/ takes its
// place. A folder without any of these is skipped when a parent is looked for, and
// so is a file of another type than "memory".
//
// The identity of a memory is the id in its front matter ([ID]); its file name
// is a label. A parent's file ends with a pointer block (package pointer). It
// holds the id and title of each child, and a trigger phrase that says when a
// reader needs the child. The phrase is in two files, under the child's key
// summary and in the parent's block. One commit writes both.
//
// # Reading and writing
//
// [Vault.View] is the only way to read: it brings the mirror up to date with
// the disk first, as far as the question needs ([Scope]). After [Vault.ShowOutbox] it shows what
// waits in the outbox, too.
//
// [Do] is the only way to write. A [Verb] is a value with a Plan. The plan works on
// a [Tx], which shows the vault as it will be after what is planned so far. Do takes
// the lock, brings the mirror up to date, calls the plan, has the [Store] commit the
// change, and applies it to the [Mirror]. Do may call a plan more than once. A dry
// run commits nothing. Models and people are asked before Do, never inside it. The
// merges of an exchange have two parents and enter by [Vault.Update].
//
// # Edits
//
// A [Change] does not hold the new text of an existing file. It holds a list of
// steps ([Step]). The store makes the same steps on three versions: the one in HEAD
// for the commit, the staged one for git's index, and the file on disk. So the
// commit holds our edit only, and what a person has typed and not committed stays
// on the disk, uncommitted.
//
// The verbs that make, move and show memories are in package vault/tree.
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
