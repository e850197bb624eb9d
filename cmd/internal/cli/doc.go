// Package cli is the command line: one file per subject. A command turns flags
// into the options of one verb, calls it and hands the result to render. It decides
// nothing else: what a command does beyond that is package app's.
//
// # Measure
//
// This part holds the command that measures how much the vectors of the configured
// model count beside the words.
//
//	admin.AddCommand(cli.MeasureCommand(console))
//
// # Serve
//
// This part has the command that serves a vault to agents: it turns flags into a
// [mcp.Server] and a place to listen at, and ends with its client.
//
// It promises that stdout carries messages alone, and that a server which listens at an
// address or a socket is reached by nobody who does not know its token.
//
// The way in is [ServeCommand]:
//
//	root.AddCommand(cli.ServeCommand(f))
//
// # Projects
//
// This part holds the commands about the projects of a machine: list, show, add, scan
// and prune.
//
//	root.AddCommand(cli.ProjectsGroup(console, finder))
package cli
