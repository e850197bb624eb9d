// Package core keeps memories in the files that agents load every time, such as CLAUDE.md and
// AGENTS.md.
//
// Such a file is a person's. What the program writes stands in one managed region at its end,
// one section for each memory:
//
//	<!-- cp:core gap=1 -->
//	<!-- cp:pf/pf-7k2m9qx4 -->
//	## Deploys need the VPN
//
//	The gateway answers inside of the VPN only.
//
//	- Count: 5
//	- First seen: 2026-01-20
//	- Last seen: 2026-01-26
//	<!-- sum:5be2a7c1f04d -->
//	<!-- /cp:pf/pf-7k2m9qx4 -->
//	<!-- /cp:core -->
//
// A marker is a whole line, and line ends are those of the file. The opening marker says what
// was put in beside the region, so that it can be taken out again: gap is the number of line
// ends before it, made says that the program made the file, and folders how many folders with
// it. The sum is a digest of the section's text with plain line feeds. It tells a section that
// somebody edited from one that is old.
//
// The promise: everything outside of the region stays byte for byte, and removing the last
// section gives back the file as it was before the first. A region that cannot be read without
// guessing is an error that names the line, and nothing is changed.
//
//	text, err = core.Insert(text, core.Section{Key: "pf/pf-7k2m9qx4", Text: "## Deploys need the VPN\n"}, core.Origin{})
//	found, err := core.Find(text, "pf/pf-7k2m9qx4") // found.Edited, found.Text
//	text, err = core.Remove(text, "pf/pf-7k2m9qx4") // as it was; nil where the file was made by Insert
//
// [Adapters] are the files, by the names that a promotion gives as its targets.
package core
