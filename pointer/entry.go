package pointer

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

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

	// Guessed is true in what [Readable] returns if the strings of the entry are no JSON: it
	// names its child, and its words may not be what anybody wrote.
	Guessed bool
}

// FoldID returns what ids are told apart by: a letter's case and the ways in which Unicode
// writes it make no difference.
func FoldID(id string) string { return norm.NFC.String(strings.ToLower(norm.NFC.String(id))) }

// PointsTo reports whether the entry points to the memory of that id, however it spells it.
func (e Entry) PointsTo(id string) bool {
	switch {
	case e.ID == id:
		return true
	case isASCII(e.ID) && isASCII(id):
		return strings.EqualFold(e.ID, id)
	}
	return FoldID(e.ID) == FoldID(id)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// Field is one unknown key of an Entry.
type Field struct {
	Key   string
	Value json.RawMessage
}
