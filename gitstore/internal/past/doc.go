// Package past reads the commits of a repository: their list, their changes, their files'
// texts, and the author of each line.
//
// It changes nothing: no object, no ref and not the index.
// Paths are relative to the top of the work tree; a text has the form of the work tree.
// If this process can read the objects by itself it does so, and
// git is asked for histories, renames and blame.
//
//	p := past.New(git, object.IDs{}, source)
//	commit, err := p.Resolve(ctx, "HEAD~3")
//	text, err := p.ReadAt(ctx, commit, "notes/x.md")
//	err = p.Touched(ctx, commit, "HEAD", "notes", func(status byte, was, now, blob string) { … })
package past
