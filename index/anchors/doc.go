// Package anchors keeps what links call the memories that they lead to. "restart loop" of
// [restart loop](nomad.md) is a field of nomad.md in the full-text index, and so are its aliases.
//
// The sources' texts stand in the table links. From them and from the table names follows a row
// for each memory that is called something: its texts, each once, and their terms. Of a memory
// are kept the first 64 texts in the order of their letters, of 4,000 bytes together, from the
// first 256 that are written under each of its names; an alias comes before them. A row is made
// again when a text comes or goes, or when another memory is meant by its link ([Changes]). So any
// history of changes ends in the rows that a rebuild makes.
//
// A text that says nothing is no text ([Says]): the name or the title of the target, "here", a
// number, an address. Closed memories, entries that have no place in the tree, and records call
// nobody anything, and nor does a memory itself.
//
//	var c anchors.Changes
//	c.Link(naming.Hash("/nomad"))    // the text of a link with this key came or went
//	c.Settle(t)                      // the row of nomad.md is made again
//	texts, err := anchors.Of(t, []int64{n})
package anchors
