// Package registry knows the projects of a person's machine: those on the list of vaults that
// the machine has seen, those that git tracks below the current one, and the parts of vaults that
// are projects of their own. A [Finder] serves one command; it tells which vaults are there and
// which stand apart, and opens one with the projects in it. What is below what is told by the
// paths alone, each time anew: see package family.
//
// The list is ~/.cp/projects.yaml. It holds one line a vault: its project's path and name, the
// vault's folder, and the day when a command was last run in it.
//
// The list is a convenience, and never in the way of a command: where it cannot be read or
// written, families are smaller and everything else is as it was. No entry is ever lost: a
// change is made under a lock, on what is in the file at that moment, and put in the
// file's place in one step. A file that a person has broken, or that a newer program has
// written, is read as far as it goes and not changed.
//
// # The file
//
//	# The projects that cp has seen …
//	version: 1
//	projects:
//	- {"path": "/home/p/TTS", "name": "TTS", "vault": "/home/p/TTS/memory", "seen": "2026-11-24"}
//
// It is YAML whose entries are JSON, one on a line, so that a line can be read, written and
// deleted by itself; a thousand of them are read in 1 ms, against 30 ms as YAML of any other
// form. Entries in other forms are read, too, and written as lines with the next change.
// Lines of comment, and keys that this program does not know, stay.
package registry
