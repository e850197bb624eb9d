// Package tree is the room of the tree itself: it makes, places and shows memories.
//
// The writing verbs are options structs. Each has Name and Plan, which make it a
// [vault.Verb], so that it can be planned in a test. [Verbs] is the table of those that
// can be a line of a [Batch], and says which may wait in the outbox; Do does it and adds what the write
// itself had to say:
//
//	Add AddSub Amend Edited Finish    make a memory, change one, commit a person's edit
//	AddParent                         make the memory of a folder that has none
//	Move Promote Supersede Delete     give it another place, a successor, or none
//	Batch                             many of them in one commit
//
//	added, err := tree.AddSub{
//		Parent: "pf-aa1", Title: "Rollback", Body: "Roll back to the last image.",
//		Summary: "If a deploy succeeds and the service fails",
//	}.Do(ctx, v)
//
// [Show], [Outline], [Prime], [List], [Search], [Hot], [Edges] and [ReadStatus]
// only read. Show reads the file of one memory and never scans the vault; the
// others bring the mirror up to date first, as far as they need it.
//
// The room promises: a child and its parent's pointer to it come, change and go in one
// commit; no verb replaces or removes a text that is in no commit; and while the
// repository is busy a new memory waits in the outbox and is not refused. It becomes a
// root if its parent is gone by then.
package tree
