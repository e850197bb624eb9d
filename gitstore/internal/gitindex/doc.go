// Package gitindex reads git's index, changes it in memory and writes it again:
// only the entries that change are made anew, and what a person has staged, the
// flags they set, and the trees that git has cached stay as they are.
//
// There are two ways behind a [Stage]: [Index] splices the file's bytes, in versions 2
// and 3; [Command] lets git do it, for every other index. Neither takes git's lock or
// installs the new file: the publisher does, and sees by [Identify] whether the index is
// still the one it read.
//
//	index, err := gitindex.Read(path) // ErrUnknown: take a Command
//	stage := gitindex.NewStage(index)
//	err = stage.Put(ctx, "notes/x.md", object.Entry{Mode: object.ModeFile, ID: blob})
//	err = index.Save(ctx, gitindex.Files{Top: top}, stage, path+".new")
package gitindex
