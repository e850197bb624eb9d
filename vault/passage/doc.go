// Package passage cuts memories into the passages that get a vector each. It is pure.
//
// Its promise: a passage is one section of a memory with what lies below it, or a part of
// one, of at most [Limit] tokens. Its text stands alone: it begins with the memory's type and
// title, then come the headings above it. The same text always has the same hash, so an edit
// gives new hashes to the passages that it touches and to no other section. A memory of at
// most Limit tokens is one passage, whose text and hash are those of its content.
//
//	all, whole := passage.Of(m)
//	all[2].Text // "memory: Rollback\n\nAfter a release › Database\n\nStop the writers first.\n"
//
// What is longer than Limit is cut at blank lines, then at the ends of lines, then at blanks.
// A memory has at most [Most] passages; of a longer one the end has none.
package passage
