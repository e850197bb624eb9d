// Package cli is the command line: one file per subject. A command turns flags
// into the options of one verb, calls it and hands the result to render. It decides
// nothing else: what a command does beyond that is package app's.
package cli
