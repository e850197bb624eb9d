// Package merge merges two versions of a memory that come from one base, as a
// merge driver of git does. It does no I/O.
//
// A memory has three parts, and each is merged by what it is:
//
//   - The front matter by key. What one side changed is taken; both sides'
//     changes to a list are united (an item that one side removed goes, one that it
//     added stays); created becomes the earliest. Of two new values of one key
//     the greater one in the order of their bytes is kept and a note says so, since a
//     header with conflict markers is none. Comments, quoting and keys unknown to
//     us stay as they are written.
//   - The pointer block as an ordered set by id: an entry that one side took out
//     and the other left as it was goes; one that it changed stays. The order is the
//     base's, or that of the one side that changed it; new entries of both sides
//     come behind, by id.
//   - The prose above and below the block by lines, as diff3 does. What both sides
//     insert at one place, and change or delete nothing there, is kept of both: each
//     insertion whole, the smaller in the order of their bytes first, one that the
//     other holds only once. A missing end of the last line is no change. Only in the
//     prose conflicts are marked, with git's ordinary markers.
//
// Without a conflict in the prose, Merge(o, a, b) and Merge(o, b, a) are the same
// bytes, so that two clones that merge each other agree. With Options.Both that
// holds always.
//
// Where one side put another memory in the file's place the text is that one's:
// two memories are never made one. The other's changes are for the pass that knows
// where it went (package sync).
//
// What is no memory to us (a damaged header, two blocks, two new files with
// different ids, more than 4 MiB) is merged as a text, as git merge-file would.
//
//	r := merge.Merge(base, ours, theirs, merge.Options{Ours: "HEAD", Theirs: "topic"})
//	if !r.Clean() {
//		fmt.Println("conflicts begin in the lines", r.Conflicts)
//	}
package merge
