// Package guide walks a vault as an agent does that follows pointers: from the
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
//	walk, err := guide.Take(ctx, v, guide.Options{Question: "the gateway serves the old version", Steps: 3})
//	for _, step := range walk.Steps {
//		fmt.Println(step.Path, step.Phrase)
//	}
package guide
