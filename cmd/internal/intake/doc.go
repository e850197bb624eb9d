// Package intake is the command import and what a face can ask for around it: trees of
// Markdown, the memories of other programs, notes of git, observations and graphs.
//
// It reads what is to be imported, from outside the vault, and hands it to the room that
// brings it in: vault/transfer, vault/migrate, vault/notes, vault/sanj or vault/facts. It
// promises that a source is opened only to be read, that no file is read beyond its limit, and
// that what could not be read is told.
//
//	root.AddCommand(intake.Command(c))
//	out, err := intake.Room{App: a, Session: s}.Foreign(ctx, "beads", ".beads", migrate.Import{})
package intake
