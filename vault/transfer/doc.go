// Package transfer brings what others keep as memory into a vault, and memories out of it.
//
// Everything that comes in has one shape. A [Form] reads files, in the layout of a tree of
// Markdown, of another program, of git notes or of what an agent has observed, and makes a
// [Bundle] of them: items, what finds no place, and what a person should know. [Import] is the
// verb that brings a bundle in, in one commit, and [Imported] tells of each item what became
// of it. An item is a memory of the tree, an entry of the journal or an observation. The
// answer has one row for each.
//
//   - A file of a tree of Markdown goes to its relative place, so that relative links keep
//     working. It stays byte for byte but for a header of ours, and is found again by its
//     place and its text.
//   - A memory of another program names itself by a source that stays the same from one
//     reading to the next (beads:bd-a3f2). `source:` keeps it, and `source_of:` the beginnings
//     of two hashes, of what was read and of what was made of it; so a second import, in any
//     clone, knows on which side something has changed. What was edited here stays. Links
//     between items become links by id.
//   - A rule of an agent is a memory of another program, too. The patterns of the files for which it
//     counts become what it is about.
//   - A git note becomes an entry, with an id that follows from its source.
//   - An observation has the id that follows from its text. Its sessions join those that are
//     there, and what a person has decided here stays.
//
// Its promise: a second import changes nothing, and sync finds nothing to do after one. A
// reader never fails and never guesses. What cannot be read is named with the reason, and the
// rest comes in. No input makes it slow or large: a line, a text and the number of items are
// bounded.
//
// [Export] gives the memories one by one, parents first, with the bytes of their files. [CS]
// gives the entries of the journal and [LongTerm] the long-term ones, each in the form of
// another program. Nothing here opens a file outside the vault: the caller reads the sources,
// and writes what export gives.
//
//	bundle := transfer.Markdown().Read([]transfer.File{{Rel: "docs/api.md", Text: text}})
//	out, err := transfer.Import{Bundle: bundle, Under: "pf-7k2m9qx4"}.Do(ctx, v)
//	for _, row := range out.Rows { // created docs/api.md → deployment/docs/api.md
//		fmt.Println(row.Action, row.Source, "→", row.Path)
//	}
//
// How the plan is made: import.go defines the verb and its rows, sourced.go finds what is here
// of another program's, place.go decides about one file, names.go about its name, again.go
// whether the vault has it already, text.go about additions to its text, tree.go about the
// pointers, entry.go and observation.go about the journal. The forms have a file each.
package transfer
