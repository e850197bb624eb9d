// Package merge merges two versions of a memory that come from one base, as a
// merge driver of git does. It does no I/O.
//
// A memory has three parts, each with rules of its own:
//
//   - The front matter is merged by key. If one side changed a key, its value is taken.
//     Lists are united: an item that one side removed goes, an item that one side added
//     stays. created becomes the earliest. Of two new values of one key the greater one in
//     the order of their bytes is kept and a note says so: a header with conflict markers
//     could not be read. Comments, quoting and unknown keys stay as they are written.
//   - The pointer block is merged as an ordered set by id. An entry that one side removed
//     goes, unless the other side changed it. The order is the base's, or that of the only
//     side that changed it; new entries of both sides come behind, by id.
//   - The prose above and below the block is merged by lines, as diff3 does. If both sides
//     insert at one place, and change or delete nothing there, both insertions are kept
//     whole, the smaller one in the order of their bytes first; one that the other holds
//     is not repeated. A missing end of the last line is no change. Only conflicts in the
//     prose are marked, with git's ordinary markers.
//
// Without a conflict in the prose, Merge(o, a, b) and Merge(o, b, a) are the same
// bytes, so that two clones that merge each other agree. With Options.Both that
// holds always.
//
// If one side put another memory in the file's place, that side's text is taken: two
// memories are never merged into one. The pass that knows where the first memory went
// takes up the other side's changes (package sync).
//
// A file that is no sound memory (a damaged header, two blocks, two new files with
// different ids, more than 4 MiB) is merged as a text, as git merge-file would.
//
// [DiffLines] compares two texts by lines, for others too.
//
//	r := merge.Merge(base, ours, theirs, merge.Options{Ours: "HEAD", Theirs: "topic"})
//	if !r.Clean() {
//		fmt.Println("conflicts begin in the lines", r.Conflicts)
//	}
package merge
