package header

import (
	"bytes"
	"errors"
	"strings"

	"github.com/adrg/frontmatter"
)

// bom is UTF-8's byte order mark; it may stand before the header and stays there.
const bom = "\ufeff"

// Split parts a document into its header and its body, which is a part of doc. It never
// fails: [Header.Err] says what is broken, and a header that never ends leaves the whole
// text as the body.
//
// A document that begins with a thematic break has no header: its second line is blank,
// and the text above the next break is not a mapping.
func Split(doc []byte) (*Header, []byte) {
	h := &Header{}
	if bytes.HasPrefix(doc, []byte(bom)) {
		h.start = len(bom)
	}
	h.end = h.start
	h.eol = eolOf(doc)
	at := h.skipBlank(doc)
	first := lineEnd(doc, at)
	is, ends := opening(doc[at:first])
	switch {
	case is == "" && h.object(doc, at), is != "" && is != inYAML && h.splitForm(doc, at, is, ends):
		return h, doc[h.end:]
	case is != inYAML, h.blank > 0 && !keyLine(string(doc[first:lineEnd(doc, first)])):
		return &Header{start: h.start, end: h.start, eol: h.eol}, doc[h.start:]
	}
	stop, closing := closingFence(doc, first)
	if closing == "" && h.blank > 0 {
		return &Header{start: h.start, end: h.start, eol: h.eol}, doc[h.start:]
	}
	if closing == "" {
		h.setUnclosed(doc, first)
		return h, doc[h.end:]
	}
	h.found, h.unread, h.text = true, true, string(doc[first:stop])
	if breakFirst(h.text) && h.Err() != nil && h.fields == nil {
		return &Header{start: h.start, end: h.start, eol: h.eol}, doc[h.start:]
	}
	if endsEarly(h.text, closing) {
		h.agree(doc, stop, closing)
	}
	h.start, h.end = first, lineEnd(doc, stop)
	return h, doc[h.end:]
}

// skipBlank counts the blank lines that doc begins with, and returns where they end.
func (h *Header) skipBlank(doc []byte) int {
	at := h.start
	for at < len(doc) && len(bytes.TrimSpace(doc[at:lineEnd(doc, at)])) == 0 {
		at = lineEnd(doc, at)
		h.blank++
	}
	return at
}

// Join returns doc with another body. A header that ends doc without a line end gets
// one, in doc's style. A body that would change how doc's header reads is refused.
func Join(doc []byte, body string) ([]byte, error) {
	h, _ := Split(doc)
	out := doc[:h.end:h.end]
	closed := h.end > h.start
	switch {
	case !closed || body == "" || out[h.end-1] == '\n':
	case out[h.end-1] == '\r':
		out = append(out, '\n')
	default:
		out = append(out, h.eol...)
	}
	out = append(out, body...)
	if closed {
		return out, nil
	}
	after, rest := Split(out)
	switch {
	case len(rest) == len(body) && after.found == h.found:
		return out, nil
	case h.Err() != nil:
		return nil, h.err
	}
	return nil, errLikeHeader
}

// errLikeHeader refuses a body that a header would begin.
var errLikeHeader = errors.New("the text would be read as front matter")

// closingFence returns where the line that ends the header begins, and its mark. The
// mark is empty if there is no such line within the limit.
func closingFence(doc []byte, at int) (int, string) {
	limit := min(len(doc), at+MaxBytes)
	for at < limit {
		end := lineEnd(doc, at)
		for _, closing := range [...]string{"---", "..."} {
			if fence(doc[at:end], closing) {
				return at, closing
			}
		}
		at = end
	}
	return 0, ""
}

// fence reports whether line is the mark, with nothing but white space after it.
func fence(line []byte, mark string) bool {
	return bytes.HasPrefix(line, []byte(mark)) && len(bytes.TrimRight(line[len(mark):], " \t\r\n")) == 0
}

// setUnclosed sets the error of a header without end. A text that begins with a thematic
// break and no key has no header.
func (h *Header) setUnclosed(doc []byte, first int) {
	if !keyLine(string(doc[first:lineEnd(doc, first)])) {
		return
	}
	h.found = true
	h.err = &Error{1, "front matter is never closed: a line --- is missing"}
	if len(doc) > first+MaxBytes {
		h.err = &Error{1, "front matter is never closed, or larger than 64 KiB"}
	}
}

// keyLine reports whether the first line looks like "key: value".
func keyLine(line string) bool {
	line, _, _ = strings.Cut(line, "\n")
	key, rest, ok := strings.Cut(line, ":")
	return ok && key != "" && !strings.ContainsAny(key, " \t") && (strings.TrimSpace(rest) == "" || rest[0] == ' ')
}

// breakFirst reports whether the fence before text is a thematic break: a blank
// line follows and then prose.
func breakFirst(text string) bool {
	first, rest, ok := strings.Cut(text, "\n")
	return ok && strings.TrimSpace(first) == "" && !keyLine(strings.TrimLeft(rest, "\r\n"))
}

// endsEarly reports whether a line of the text is the mark when it is trimmed.
func endsEarly(text, mark string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == mark {
			return true
		}
	}
	return false
}

// agree compares the split with the library's. The library trims lines before it compares
// them, so an indented --- in a block scalar ends its header. Other readers would read
// such a header otherwise, so it is not written to.
func (h *Header) agree(doc []byte, stop int, closing string) {
	var theirs []byte
	capture := func(b []byte, v any) error {
		*v.(*[]byte) = bytes.Clone(b)
		return nil
	}
	head := bytes.NewReader(doc[h.start:lineEnd(doc, stop)])
	if first := lineEnd(doc, h.start); h.blank == 0 && !fence(doc[h.start:first], "---") { // ---yaml
		return
	}
	rest, err := frontmatter.Parse(head, &theirs, frontmatter.NewFormat("---", closing, capture))
	if h.Err() == nil && (err != nil || len(rest) > 0 || string(theirs) != h.text) {
		h.err = &Error{1, "an indented " + closing + " inside the front matter ends it early for other readers"}
	}
}

// eolOf returns the line end of doc's first line; "\n" if it has none.
func eolOf(doc []byte) string {
	if i := bytes.IndexByte(doc, '\n'); i > 0 && doc[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineEnd returns where the line that holds offset at ends, its line end included.
func lineEnd[T string | []byte](text T, at int) int {
	for ; at < len(text); at++ {
		if text[at] == '\n' {
			return at + 1
		}
	}
	return len(text)
}
