// Package jump finds memories by pieces of their titles, phrases and paths, at every keystroke.
//
// All titles, phrases and paths are in one text in lower case, through which each question
// goes from its beginning to its end: no index answers for pieces of words, and the text of
// 100,000 memories takes some milliseconds. Each word of the question must be there; a title
// counts more than a phrase, that more than a path, and the beginning of a word more than its
// middle.
//
// An [Index] is of one generation of the vault's mirror. What it finds is to be looked up
// there before it is shown.
//
//	var index jump.Index
//	err := index.Fill(generation, titles)
//	hits := index.Find("depl roll", 20)
package jump
