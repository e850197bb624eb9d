// Package links reads from the mirror's tables how memories stand to each other: who is
// whose child, and which memory a link or a reference means.
//
// What a link means is not stored; it is asked whenever somebody reads ([Meant]), so a link
// begins to lead somewhere when a file appears. Edges are told of one memory with all there is
// to tell ([Of]), or of many at once, by a handful of statements however many there are
// ([Around]).
//
//	edges, err := links.Of(tx, n)                  // n is the memory's number in the tables
//	all, err := links.Around(tx, []int64{n, o}, 60) // at most 60 of each of them
package links
