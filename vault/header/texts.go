package header

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Texts returns the strings of a key that holds a list of whole sentences or paragraphs, or
// of a scalar, which is one of them: it is not cut at commas. They are trimmed, without the
// empty ones.
func (h *Header) Texts(key string) []string {
	f := h.field(key)
	if f == nil || f.kind == other {
		return nil
	}
	items := f.items
	if f.kind == scalar {
		items = []string{f.value}
	}
	var out []string
	for _, s := range items {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// SetTexts returns doc with the key set to a list that [Header.Texts] reads. A new one has
// one text on each line, so that two people can add to it. A list that has that form keeps
// the lines of the texts that stay.
func SetTexts(doc []byte, key string, items []string) ([]byte, error) {
	if slices.ContainsFunc(items, func(s string) bool { return !utf8.ValidString(s) }) {
		return nil, errNotUTF8
	}
	h, body := Split(doc)
	f, err := h.editable(key)
	switch {
	case err != nil:
		return nil, err
	case f == nil && len(items) == 0, f != nil && f.kind != other && slices.Equal(h.Texts(key), items):
		return doc, nil
	case h.isForeign():
		return SetList(doc, key, items)
	case f == nil:
		return h.insertBelow(doc, body, key, h.textRows(items, h.indent()+2))
	case len(items) == 0 && f.kind != other:
		return DropLines(doc, key)
	case len(f.rows) > 0:
		return h.splice(doc, body, f, f.lines, h.rowList(f, items))
	}
	return h.replaceBelow(doc, body, f, h.textRows(items, h.indent()+2))
}

// textRows returns a list with one text on each line.
func (h *Header) textRows(items []string, indent int) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString(strings.Repeat(" ", indent) + "- " + format(item, "", false) + h.eol)
	}
	return b.String()
}

// insertBelow adds a key whose value stands on the lines below it.
func (h *Header) insertBelow(doc, body []byte, key, rows string) ([]byte, error) {
	doc, err := h.insert(doc, body, key, "x")
	if err != nil {
		return nil, err
	}
	h, body = Split(doc)
	return h.replaceBelow(doc, body, h.field(key), rows)
}

// replaceBelow gives a key a value that stands on the lines below it. A value that holds more
// than is read of it, or comments, is not replaced.
func (h *Header) replaceBelow(doc, body []byte, f *field, rows string) ([]byte, error) {
	name, comment, ok := h.splitKeyLine(f)
	switch {
	case f.kind == other:
		return nil, &Error{f.line + 1, "key " + f.key + " holds more than a text or a list of texts"}
	case f.remarks:
		return nil, &Error{f.line + 1, "key " + f.key + " has comments inside its value"}
	case !ok:
		return nil, &Error{f.line + 1, "key " + f.key + " is written in a way that cannot be edited by line"}
	}
	if f.simple {
		comment = strings.TrimRight(h.text[f.val.end:f.lines.end], "\r\n")
	}
	return h.splice(doc, body, f, f.lines, name+":"+comment+h.eol+rows)
}
