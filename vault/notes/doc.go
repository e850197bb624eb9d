// Package notes reads the memories that another program has kept in git notes, and brings
// them into the journal.
//
// A note lies below a ref such as refs/notes/cs/decisions and belongs to one commit. It is
// Markdown with a front matter. Notes that were appended to one commit stand one below the
// other in one text:
//
//	---
//	type: decision
//	spec: user-auth
//	timestamp: 2025-12-14T10:30:00Z
//	summary: Chose RS256 over HS256 for JWT signing
//	---
//
//	## Context
//	…
//
// Its promise: each note becomes one entry with its own date, commit and kind, and the same
// note always gets the same id, so a second import, in this clone or another one, adds
// nothing. What cannot be read is named with its ref and commit, and the rest comes in.
//
//	all := notes.Parse(notes.Text{Ref: "refs/notes/cs/decisions", Commit: sha, Text: text})
//	out, receipt, err := vault.Do(ctx, v, notes.Import{Notes: all}, vault.Options{})
package notes
