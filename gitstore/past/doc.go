// Package past reads what the commits of a repository hold: which there are, what
// they changed, what the files of one said, and who wrote a line.
//
// It changes nothing: no object, no ref and not the index.
// Paths are relative to the top of the work tree; a text is what the work tree
// would hold. Where this process can read the objects by itself it does so, and
// git is asked for histories, renames and blame.
//
//	p := past.New(git, object.IDs{}, source)
//	commit, err := p.Resolve(ctx, "HEAD~3")
//	text, err := p.ReadAt(ctx, commit, "notes/x.md")
//	err = p.Touched(ctx, commit, "HEAD", "notes", func(status byte, was, now, blob string) { … })
package past
