// Package web is the memory browser: the face that shows a vault in a person's own browser.
//
// Each page is an address that the server renders whole, so that it can be read, kept as a
// bookmark and used without a script; beside it stands the same answer as JSON, in the shape
// of the command line. The package asks the use cases that the command line asks and works
// nothing out for itself. Who may ask is package guard's business, how pages look is package
// page's.
//
// It promises that a GET changes nothing but how often a memory was read, that an edit is written
// only on the text that the person saw, that what would take something away is shown first
// and asked about again if it has changed since, and that a text which could not be written
// comes back to the person.
//
// The way in is [New], which makes the handler; it is to stand behind a guard:
//
//	h, err := web.New(web.Options{App: a, Project: s.Settings.Project})
//	err = g.Server(h).Serve(listener)
//
// # Jump
//
// This part finds memories by pieces of their titles, phrases and paths, at every keystroke.
//
// All titles, phrases and paths are in one text in lower case, through which each question
// goes from its beginning to its end: no index answers for pieces of words, and the text of
// 100,000 memories takes some milliseconds. Each word of the question must be there; a title
// counts more than a phrase, that more than a path, and the beginning of a word more than its
// middle.
//
// An [TitleIndex] is of one generation of the vault's mirror. What it finds is to be looked up
// there before it is shown.
//
//	var index web.TitleIndex
//	err := index.Fill(generation, titles)
//	hits := index.Find("depl roll", 20)
package web
