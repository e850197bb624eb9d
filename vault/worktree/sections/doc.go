// Package sections writes the sections of package core into the files that agents load.
//
// Such a file is a person's and may be anywhere: it lies outside of the vault and in no commit
// of ours. It is read, changed and exchanged for the new text in one step. What comes out is
// looked at: a file that changed meanwhile goes back, and is written again from its new text.
// The earlier file is kept. A link stays a link and its target is written; the mode stays.
//
// The promise: a file is replaced whole or not at all, and a second run of the same write
// changes nothing. What is no regular file, or may not be written, is refused.
//
//	w := sections.Writer{Op: op, Keep: keep}
//	err := w.Write(vault.Section{File: "/code/CLAUDE.md", Key: "pf/pf-7k2m9qx4", Text: "## Deploys\n"})
//	err = w.Write(vault.Section{File: "/code/CLAUDE.md", Key: "pf/pf-7k2m9qx4"}) // takes it out
package sections
