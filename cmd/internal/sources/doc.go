// Package sources reads the files of an import from the disk and from git: the Markdown of a
// folder with the facts beside it, the file of another program, the notes below some refs.
//
// It promises that nothing is followed out of the folder, that nothing is read which is too
// large or no regular file, and that what cannot be read is named.
//
//	found, err := sources.Read(ctx, vaultRoot, "docs")
//	// found.Files, found.Facts
package sources
