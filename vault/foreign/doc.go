// Package foreign reads what other programs keep as memory, and makes memories of it.
//
// A reader for each form takes the files of a program and returns a [Bundle]: items, each the
// text of one memory with its title, labels, dates and phrase, and a list of what found no
// place. An item names itself by a source that stays the same from one reading to the next
// (beads:bd-a3f2), says where its file goes, and which other items it points to. Files that
// are Markdown already stay byte for byte; only keys are added to their headers.
//
// Its promise: a reader never fails and never guesses. What cannot be read is named with the
// reason, and the rest comes in. It opens no file, and no input makes it slow or large: a
// line, a text and the number of items are bounded, and what lies beyond is told.
//
//	b := foreign.Read("beads", []foreign.File{{Rel: "issues.jsonl", Text: text}})
//	for _, i := range b.Items {
//		fmt.Println(i.Source, i.Place) // beads:bd-a3f2 beads/fix-the-login
//	}
//
// [Forms] lists the forms. Each has a file of its own, which tells its shape in prose at the
// top. Package migrate brings a bundle into a vault.
package foreign
