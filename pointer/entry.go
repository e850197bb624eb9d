package pointer

import "encoding/json"

// The two markers of a visible block. They count only as top-level HTML blocks, never
// inside code.
const (
	Start = "<!-- sub-memories -->"
	End   = "<!-- /sub-memories -->"
)

// The two markers of a hidden block: the first and the last line of one HTML comment.
const (
	HiddenStart = "<!-- sub-memories"
	HiddenEnd   = "/sub-memories -->"
)

// Entry points from a parent to one child: an element of the block's JSON array.
type Entry struct {
	ID      string
	Title   string
	Summary string // the trigger phrase: when one needs the child

	// Extra holds the keys we do not know, in the order they came, each as its
	// raw JSON value; they survive every write.
	Extra []Field
}

// Field is one unknown key of an Entry.
type Field struct {
	Key   string
	Value json.RawMessage
}
