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
// [Show], [Outline], [Prime], [List], [SearchMemories], [Hot], [Edges] and [ReadStatus]
// only read. Show reads the file of one memory and never scans the vault; the
// others bring the mirror up to date first, as far as they need it.
//
// The room promises: a child and its parent's pointer to it come, change and go in one
// commit; no verb replaces or removes a text that is in no commit; and while the
// repository is busy a new memory waits in the outbox and is not refused. It becomes a
// root if its parent is gone by then.
//
// # Dochash
//
// This part gives what a memory says one name: two that say the same have the same.
//
// It is the SHA-256, in hex, of a JSON object in UTF-8 with the keys context, decisions,
// rationale and topic, in this order and without white space. The context is the prose: the
// text without front matter and pointer block. Topic and context are trimmed of white space
// as Go's strings.TrimSpace does, line ends are LF, and only quotation marks, backslashes and
// control characters are escaped, the usual way. Labels, phrase, metadata, source and the
// file's name are no part of it. The topic is the title of front matter or heading; a
// memory that has its file's name for a title has an empty one, so that a rename changes
// nothing.
//
//	{"context":"Nomad runs it.","decisions":[],"rationale":[],"topic":"Deployment"}
//	fd90540cee0bc67fb020669560dd1c196bd5e292731dc950f12e40f023aa6381
//
// The way in:
//
//	m := vault.Parse("deployment.md", doc)
//	name := tree.HashOf(m)
//
// # Branch
//
// This part says what a page of the children of a memory is, for those who show a large
// folder piece by piece, and what a memory is found by while a person types.
//
//	page, err := mirror.Branch(ctx, tree.PageOptions{Of: id, From: 200, Most: 200})
//
// # Brief
//
// This part cuts what is told of a memory, for an answer that has little room. It does no I/O.
//
//	row.Title, row.Summary = tree.BriefLine(row.Title, row.Summary, func(title, phrase string) bool {
//		return vault.Tokens(title)+vault.Tokens(phrase) <= 30
//	})
//
// # Relink
//
// This part keeps links leading where they led when files move: by a relative path, by one
// from the vault's top, or by a name that the index resolves; and so the paths under references:
// in front matter.
//
// It decides on paths and texts alone, so a table tests it; the verbs that move files ask
// it, and make of its answer a step of the write that moves them ([vault.OpRelink]).
//
//	m := &tree.Mender{Moves: []tree.FileMove{{From: "x.md", To: "p/x.md"}}, Stands: stands, Leads: leads}
//	links, _, err := m.Text(ctx, "x.md", "See [a](a.md).", true) // a.md is ../a.md then
//
// # Adopt
//
// This part tells which file is the memory of a folder, among files that are known by
// their paths alone.
//
//	all := make(adopt.FolderNotes)
//	all.Add("infra.md")
//	up, ok := all.Above("infra/deploy.md") // "infra.md", true
//
// # Spare
//
// This part decides which files sync leaves alone: what is empty or no text gets no id,
// what is not to be adopted stays uncommitted, and so does a new file with a likely secret.
//
//	rules := adopt.Unadopted{None: tx.NoAdopt()}
//	why := rules.Of(tx, drift) // of one file; its Problem may keep it from an id, see Nameless
package tree
