// Package console is what every command of the command line needs beside its own use case:
// the run and its streams, the ways to open the vault, the answer in the form that was asked
// for, warnings, questions to the person, the editor, and the checks of arguments and flags.
//
// It promises that stdout has the answer alone, that nobody is asked without a terminal,
// and that an answer which cannot be written is told as what it is.
//
// The way in is [New], and for most commands [Runs]: open the vault, do one thing, answer.
//
//	f := console.New(a, streams)
//	cmd.RunE = console.Runs(f, f.Read, count, func(s render.Screen, n int) { s.Printf("%d\n", n) })
package console
