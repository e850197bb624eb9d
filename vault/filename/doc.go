// Package filename makes names of files and folders, and compares them.
//
// A name is made of a title, in a form that every file system holds. Two names are twins
// if a file system that knows neither case nor Unicode forms takes them for one.
//
//	filename.Slug("Café Résumé", "7k2m9qx4") // "cafe-resume"
//	filename.Fold("Straße.MD")               // "strasse.md"
//	filename.Portable("aux.md")              // why Windows cannot keep it
//
// It also knows the names that make a folder a bare repository, and those that cloud folders
// give to copies and placeholders.
//
// The package does no I/O.
//
// # Spelling
//
// This part compares words, to name what somebody may have meant who typed another one.
//
// Its promise: it does no I/O and takes time in proportion to the product of two lengths. The
// way in is [Edits]:
//
//	filename.Edits("brwse", "browse") // 1
package filename
