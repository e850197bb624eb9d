// Package demo is the command demo: the program at work on its sample, a handbook of notes.
//
// The sample is part of the program. It is written into a folder of its own, with a home and
// git settings that belong to nobody, and there the real commands run, each printed before
// what it says. The folder goes when the demo ends, however that is, unless it was asked for.
//
//	root.AddCommand(demo.Command(c))
package demo
