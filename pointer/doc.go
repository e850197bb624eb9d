// Package pointer reads and writes the pointer block: the JSON array at the
// end of a parent memory that names its children.
//
//	Prose of the memory.
//
//	<!-- sub-memories -->
//	[
//	  {"id": "pf-aa3", "title": "Nomad Stuck", "summary": "When allocation shows \"running\" but binary is old"},
//	  {"id": "pf-aa4", "title": "Gateway vs Worker", "summary": "When to deploy which component"}
//	]
//	<!-- /sub-memories -->
//
// One entry stands on one line, so that git merges, diffs and blames by entry.
// Any valid JSON between the markers is read; the order is display order.
//
// A marker is a line of its own that is a top-level HTML block of the Markdown
// text: inside a code block, a list or a quotation it is text like any other.
//
// Writes are edits, not renderings: entries that are not meant keep their bytes
// (spacing, key order, unknown keys), and so does everything before and after
// the block. Inserted text has the line ends of its surroundings.
//
// Appending the first entry and removing the last one are exact inverses. The
// block is parted from the prose by one blank line; where the prose had no
// final newline, the closing bracket is written " ]" so that the removal knows.
//
// Content is a memory's text without its front matter. The package does no I/O.
//
//	content, err := pointer.AppendSubMemory(content, pointer.Entry{ID: "pf-aa5", Title: "Rollback", Summary: "If a release is bad"})
//	block, err := pointer.Find(content) // block.Entries names the children; err says where the block is damaged
package pointer
