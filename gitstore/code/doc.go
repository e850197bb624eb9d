// Package code reads the repository of the code that memories are about: the files of one
// work tree, and what git has of them. It is the adapter of [about.Code].
//
// Whose repository that is may not be trusted: git runs by package plumb, which starts no
// program that a repository names; filters never run; files are opened beneath the top, and
// no symbolic link is followed.
//
//	c, err := code.Open("/home/ada/shop")
//	text, err := c.Files.Read("src/auth.py")
//	blobs, err := c.Past.Blobs(ctx, commit, []string{"src/auth.py"})
package code
