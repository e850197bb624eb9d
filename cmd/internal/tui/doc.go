// Package tui is the full screen on which a person reviews what waits for a decision.
//
// The subject is the screen: a list of items with the details of one beside it, or, on a
// terminal of less than 80 columns, as a second screen. Observations and promotions are two
// lists, and Tab goes from one to the other. [Keys] lists what the keys do.
//
// The promise: nothing is decided by Enter, Backspace, a paste or a key that is held down. A
// decision is about the item as the screen shows it, and is made at once. Where the item was
// changed or taken away meanwhile nothing is decided, and the screen says so. One call to
// the [Port] runs at a time. Texts are not trusted: what could steer the terminal is made
// visible before it is drawn. However the screen ends, the terminal is as it was before.
//
// The way in is [Run], for a program on a terminal:
//
//	sum, err := tui.Run(ctx, tui.Options{Port: queue.Of(session), In: os.Stdin, Out: os.Stdout})
//	// sum.Done["approve"] is the number of items that were approved and not taken back
//
// [Model] is a plain value. Update turns a key or an answer of the port into the next value,
// and View draws it, so a test needs no terminal:
//
//	m := tui.New(ctx, tui.Options{Port: port})
//	next, _ := m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
//	next.View().Content // the screen as text
//
// # Reviewlines
//
// This part is the review in lines of text: for a screen reader, a terminal that can
// do no more, and answers out of a pipe. The full screen is package tui.
//
// It asks about one item after the other. Each decision is a commit at once, and "u" takes
// the last one back. What fails is told, and the item stays.
//
//	err := tui.RunLines(ctx, queue.Of(session), queue.Query{}, tui.LinePerson{Screen: screen, Line: line, ...})
package tui
