// Package reviewlines is the review in lines of text: for a screen reader, a terminal that can
// do no more, and answers out of a pipe. The full screen is package tui.
//
// It asks about one item after the other. Each decision is a commit at once, and "u" takes
// the last one back. What fails is told, and the item stays.
//
//	err := reviewlines.Run(ctx, queue.Of(session), queue.Query{}, reviewlines.Person{Screen: screen, Line: line, ...})
package reviewlines
