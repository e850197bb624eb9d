// Package intake is the command import: trees of Markdown, the memories of other programs,
// notes of git, observations and graphs.
//
// It turns flags into a form and an import: package sources reads the files, vault/transfer
// reads the form and brings it in, and vault/graph the graphs. It promises that what could not
// be read is told.
//
//	root.AddCommand(intake.Command(c))
package intake
