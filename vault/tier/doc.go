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
// An observation is counted by the sessions that made it ([Count]). Its id follows from its
// text ([Key]), so that two clones which observe the same make one memory.
//
// [Book] has the same rules for a program that keeps its items outside of a vault, in JSON:
//
//	b := tier.NewBook(tier.Default(), time.Now, claudeMD)
//	warnings, err := b.Load(file)
//	err = b.Approve("obs-1")
//	err = b.PromoteToLongTerm("obs-1") // nil, or why not
//	err = b.Save(file)
package tier
