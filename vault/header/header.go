package header

import (
	"fmt"
	"slices"
	"strings"
)

// Limits of a header. A header beyond them is reported as damaged.
const (
	MaxBytes = 64 << 10
	maxKeys  = 256
	maxDepth = 16
)

// Error says what is wrong with a header, or why an edit is refused.
type Error struct {
	Line int // 1-based, in the document
	Msg  string
}

const noKeys = "front matter must be keys with values"

// NoKeys reports whether the text above the break is a list or a scalar: sound, and no
// front matter.
func (e *Error) NoKeys() bool { return e.Msg == noKeys }

// Error returns the sentence with the line in front.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Header is the front matter of one document. The zero value belongs to a document
// without one. The first question about its keys reads them: who asks for the body alone
// does not pay for YAML. One goroutine at a time may ask.
type Header struct {
	text   string // between the fences
	start  int    // where text begins in the document
	end    int    // where the body begins
	eol    string // of the opening fence; for documents without a header of their first line
	found  bool
	form   form // empty for YAML
	above  int  // lines of the document above text; 0 counts as the one of the fence in YAML
	blank  int  // blank lines above the header
	unread bool // err and fields are not known yet, see parse
	err    *Error
	fields []field
}

// kind tells what a key's value is.
type kind int

const (
	scalar kind = iota
	null
	list
	other // a mapping, or a list that holds more than scalars
)

// field is one top-level key.
type field struct {
	key    string
	kind   kind
	value  string   // of a scalar: as it reads, without quotes
	items  []string // of a list: its scalars that are not null
	line   int      // 1-based, in the header's text
	lines  span     // in text: from the key's line to past the last line of the value
	val    span     // in text: the value on the key's own line; empty at the colon for null
	simple bool     // val holds; otherwise only whole lines can be replaced
	table  bool     // it stands in a table of TOML, and cannot be edited

	comment string // after a value that is not simple
	remarks bool   // there are comments inside of such a value

	rows   []span // of a list with one item a line: the items' lines
	indent int    // of these lines
}

// span is a range of bytes.
type span struct{ start, end int }

// HasFrontMatter reports whether the document has front matter, readable or not.
func (h *Header) HasFrontMatter() bool { return h.found }

// Err returns what is wrong with the header, or nil. The keys that could be read are there in either case.
func (h *Header) Err() *Error {
	h.parseFields()
	return h.err
}

// Text returns the text between the fences.
func (h *Header) Text() string { return h.text }

// Keys returns the keys in their order.
func (h *Header) Keys() []string {
	h.parseFields()
	keys := make([]string, len(h.fields))
	for i, f := range h.fields {
		keys[i] = f.key
	}
	return keys
}

// Get returns the value of a key that holds a scalar, as it is written: 1.10
// stays 1.10. ok is false for a missing key, null, lists and mappings.
func (h *Header) Get(key string) (value string, ok bool) {
	f := h.field(key)
	if f == nil || f.kind != scalar {
		return "", false
	}
	return f.value, true
}

// List returns the strings of a key that holds a list, or of a scalar that
// separates them by commas, trimmed; without the empty ones.
func (h *Header) List(key string) []string {
	f := h.field(key)
	if f == nil {
		return nil
	}
	items := f.items
	if f.kind == scalar {
		items = strings.Split(f.value, ",")
	}
	out := make([]string, 0, len(items))
	for _, s := range items {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// IsMixed reports whether a key holds more than [Header.Get] or [Header.List] return: a
// mapping, or a list in which not all are texts. It cannot be edited.
func (h *Header) IsMixed(key string) bool {
	f := h.field(key)
	return f != nil && f.kind == other
}

// Line returns the 1-based line of a key in the document, or 0 for a missing key.
func (h *Header) Line(key string) int {
	if f := h.field(key); f != nil {
		return f.line + h.fenceLines()
	}
	return 0
}

// fenceLines returns the lines of the document above the header's text.
func (h *Header) fenceLines() int {
	if h.isForeign() {
		return h.above
	}
	return 1 + h.blank
}

// field returns the first field of that key, or nil.
func (h *Header) field(key string) *field {
	h.parseFields()
	i := slices.IndexFunc(h.fields, func(f field) bool { return f.key == key })
	if i < 0 {
		return nil
	}
	return &h.fields[i]
}
