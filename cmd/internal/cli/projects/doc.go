// Package projects holds the commands about the projects of a machine: list, show, add, scan
// and prune.
//
//	root.AddCommand(projects.Group(console, finder))
package projects
