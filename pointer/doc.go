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
// All of it may stand on one line, too: an edit leaves it there.
//
// A block may also be hidden: the same array inside one comment, which nobody sees in
// the rendered text. Both styles are read alike.
//
//	<!-- sub-memories
//	[
//	  {"id": "pf-aa3", "title": "Nomad Stuck", "summary": "When allocation shows \"running\" but binary is old"}
//	]
//	/sub-memories -->
//
// Its first marker is a top-level HTML block, too, and its last one is the line that ends
// the comment. What else can become of it, and what is made of that:
//
//   - An entry typed by hand holds "-->" and ends the comment too early: it is damage, and
//     the repair writes the entry with an escape.
//   - A marker is missing, or the first is of one style and the last of the other: damage.
//   - Git's conflict markers stand inside or around it, perhaps with a marker of each
//     style in one hunk: damage.
//   - A repair of markers of both styles makes a hidden block, as a merge does.
//
// A new block is made visible; [Restyle] turns one style into the other.
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
