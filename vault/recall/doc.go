// Package recall finds memories by what they are about. It ranks, mixes and packs,
// and does no I/O itself.
//
// # Legs
//
// The lexical leg stands on its own: it finds memories by their words and needs
// nothing but the mirror. There may be a second one ([Leg]), usually of vectors. Its
// findings are mixed in by score ([Mix]). A leg that fails costs a warning and never
// the answer.
//
// There may be a third one ([Web], Finder.Reach): from the best candidates it
// takes a step to what they have in common with others, an entity, a label or a link, through
// what few have more than through what many have, and adds a share of the best score.
//
//	f := &recall.Finder{Vault: v, Lexicon: index, Leg: embed.Leg{Ports: ports}}
//	answer, err := f.Recall(ctx, recall.Query{Text: "how do I roll back", Budget: 1000})
//
// # What is over
//
// Memories that are closed, or deferred to another day, may answer beside the open ones, or be
// counted ([Query].Ended). They have candidates of their own, are scored on the scale of the open
// ones, and are put among them at last with 0.8 of their similarity. So the open ones are found
// and scored as if nothing else was there.
//
// # Pool
//
// This part asks several vaults side by side and ranks what they find in one list, as if
// all memories lay in one vault.
//
// First the statistics of the vaults are added up ([GatherSums]). By these each vault chooses and
// scores its own memories, with filters and limits inside its index, so that scores can be
// compared. Equal ones are ordered by the paths of the projects, and then by the paths in the
// vaults.
//
// A vault that cannot be read costs its own memories and a [MemberFailure], never the answer. Each
// vault is read as it is when it is asked; they are not frozen together.
//
//	members := []recall.VaultMember{{Vault: a, Options: o, Origin: ofA}, {Vault: b, Options: o, Origin: ofB}}
//	page, failed, err := recall.SearchPool(ctx, members, "allocation stuck")
//
// # Guide
//
// This part walks a vault as an agent does that follows pointers: from the
// roots, by titles and trigger phrases alone, without a model. It does no I/O
// itself.
//
// # The walk
//
// At hand are the roots. Of all memories at hand, the guide reads the one whose title
// and phrase take up most of the question ([vault.Tree].Weigh). Its children are at
// hand from then on, each with half of its parent's weight added, since a phrase is
// written for a reader who has come so far. The walk ends when enough was read, or
// when nothing at hand weighs half of the best that was read.
//
// # Levels
//
// Where hardly a root has a pointer block there is nothing to follow, and folders are the
// levels. Of all memories of the forest the guide weighs title, phrase and file name, and adds
// half of what the folders above weigh, of each the half of the one below. It tells the
// folders whose memories weigh most with a line of each of these: twenty, or within a budget
// as many as it holds, up to a hundred. The steps are the first of them. Found has memories
// that a ranking found come first, in any forest.
//
// The same question on the same vault takes the same way.
//
//	walk, err := recall.TakeWalk(ctx, v, recall.WalkOptions{Question: "the gateway serves the old version", Steps: 3})
//	for _, step := range walk.Steps {
//		fmt.Println(step.Path, step.Phrase)
//	}
//
// # Passage
//
// This part cuts memories into the passages that get a vector each. It is pure.
//
// Its promise: a passage is one section of a memory with what lies below it, or a part of
// one, of at most [PassageTokens] tokens. Its text stands alone: it begins with the memory's type and
// title, then come the headings above it. The same text always has the same hash, so an edit
// gives new hashes to the passages that it touches and to no other section. A memory of at
// most Limit tokens is one passage, whose text and hash are those of its content.
//
//	all, whole := recall.PassagesOf(m)
//	all[2].Text // "memory: Rollback\n\nAfter a release › Database\n\nStop the writers first.\n"
//
// What is longer than Limit is cut at blank lines, then at the ends of lines, then at blanks.
// A memory has at most [MostPassages] passages; of a longer one the end has none.
package recall
