// Package tier says how far a memory has come: from pending over long-term to core.
//
// A pending entry waits for a person. A long-term memory has its place in the tree. A core
// memory stands in the files that agents load every time, such as CLAUDE.md. The level is
// worked out from what the front matter says and never stored ([LevelOf]).
//
// Its promise: nothing is promoted that a person has not approved, and a denied memory is
// promotable at no level. Approval is an act of its own. The later of approval and denial
// decides, and a tie denies. Thresholds are minimums, and exactly the minimum passes.
//
//	t := tier.Default()
//	err := t.LongTerm(&memory.Header)   // nil, or why not: "Count too low: 1/2"
//	err = t.Core(&memory.Header, now)   // nil, or "Not enough time in long-term: 2/7 days"
//
// An observation is counted by the sessions that made it ([CountSessions]). Its id follows from its
// text ([Key]), so that two clones which observe the same make one memory.
//
// [Book] has the same rules for a program that keeps its items outside of a vault, in JSON:
//
//	b := tier.NewBook(tier.Default(), time.Now, claudeMD)
//	warnings, err := b.Load(file)
//	err = b.Approve("obs-1")
//	err = b.PromoteToLongTerm("obs-1") // nil, or why not
//	err = b.Save(file)
//
// # Core
//
// This part keeps memories in the files that agents load every time, such as CLAUDE.md and
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
//	text, err = tier.InsertSection(text, tier.Section{Key: "pf/pf-7k2m9qx4", Text: "## Deploys need the VPN\n"}, tier.FileOrigin{})
//	found, err := tier.FindSection(text, "pf/pf-7k2m9qx4") // found.Edited, found.Text
//	text, err = tier.RemoveSection(text, "pf/pf-7k2m9qx4") // as it was; nil where the file was made by Insert
//
// [Adapters] are the files, by the names that a promotion gives as its targets.
package tier
