// Package sanj brings in what the program sanj has observed, and writes its view of long-term
// memory.
//
// That program keeps observations.json, a list of what was seen with a count, sessions, dates
// and a level, and long-term-memory.md, which shows those that were promoted. Package tier
// reads both ([tier.ReadItems], [tier.ParseView]).
//
// Its promise: an observation has the id that follows from its text, so one that was made
// here as well, or imported before, is the same memory. Its sessions join those that are
// there, a count beyond its sessions is kept as seen_before, and what a person has decided
// here stays. So a second import adds nothing. What cannot be read is named, and the rest
// comes in, all in one commit.
//
//	src := sanj.Read("observations.json", text, now)
//	out, err := sanj.Import{Sources: []sanj.Source{src}}.Do(ctx, v)
//	items, err := sanj.LongTerm(ctx, v)
//	fmt.Print(tier.View(items))
package sanj
