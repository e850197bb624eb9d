// Package cli is the command line: one file per command. A command turns flags
// into the options of one verb, calls it and hands the result to render. It decides
// nothing else.
package cli
