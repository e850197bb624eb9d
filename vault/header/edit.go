package header

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Set returns doc with the key set to the string value. If the key has that value, doc
// is returned unchanged. A new key goes to the end of the header, id to its start and cp_id below that. A
// document without a header gets one.
func Set(doc []byte, key, value string) ([]byte, error) {
	h, _ := Split(doc)
	return h.Set(doc, key, value)
}

// Set does what [Set] does for the document that h was split from.
func (h *Header) Set(doc []byte, key, value string) ([]byte, error) {
	if !utf8.ValidString(value) {
		return nil, errNotUTF8
	}
	body := doc[h.end:]
	f, err := h.editable(key)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return h.insert(doc, body, key, h.scalar(value, ""))
	}
	if f.kind == scalar && f.value == value {
		return doc, nil
	}
	like := ""
	if f.kind == scalar {
		like = h.text[f.val.start:f.val.end]
	}
	return h.replaceField(doc, body, f, h.scalar(value, like))
}

// SetPlain does what [Set] does for a number or a bool: it stands without quotes, and other
// programs read it as what it is. Any other value is written as Set writes it.
func SetPlain(doc []byte, key, value string) ([]byte, error) {
	if !isBoolOrNull(value) && !isNumber(value) || strings.TrimSpace(value) != value {
		return Set(doc, key, value)
	}
	h, _ := Split(doc)
	f, err := h.editable(key)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return h.insert(doc, doc[h.end:], key, value)
	case f.kind == scalar && f.value == value:
		return doc, nil
	}
	return h.replaceField(doc, doc[h.end:], f, value)
}

// SetList returns doc with the key set to a list. A list with one item on each line
// keeps that form and the lines of the items that stay. One in brackets that only grows
// keeps what stands in them.
func SetList(doc []byte, key string, items []string) ([]byte, error) {
	if slices.ContainsFunc(items, func(s string) bool { return !utf8.ValidString(s) }) {
		return nil, errNotUTF8
	}
	h, body := Split(doc)
	f, err := h.editable(key)
	if err != nil {
		return nil, err
	}
	switch {
	case f == nil && len(items) == 0:
		return doc, nil
	case f == nil:
		return h.insert(doc, body, key, h.flow(items))
	case f.kind == list && slices.Equal(f.items, items):
		return doc, nil
	case len(f.rows) > 0 && len(items) > 0:
		return h.splice(doc, body, f, f.lines, h.rowList(f, items))
	}
	if h.isForeign() {
		return h.replaceField(doc, body, f, h.flow(items))
	}
	if out, ok := h.extend(doc, body, f, items); ok {
		return out, nil
	}
	return h.replaceField(doc, body, f, h.flow(items))
}

// Rename returns doc with other items in the key's list, or in a scalar that [Header.List]
// reads as one: to says which in place of which. Every other byte stays where the new item can
// be written as the old one is; else it does what SetList does.
func Rename(doc []byte, key string, to map[string]string) ([]byte, error) {
	h, _ := Split(doc)
	for i, from := range h.List(key) {
		if to[from] == "" || to[from] == from {
			continue
		}
		h, body := Split(doc)
		f, err := h.editable(key)
		if err != nil {
			return nil, err
		}
		want := h.List(key)
		want[i] = to[from]
		next, ok := h.rename(doc, body, f, want, from, to[from])
		if !ok {
			if next, err = SetList(doc, key, want); err != nil {
				return nil, err
			}
		}
		doc = next
	}
	return doc, nil
}

// rename writes to over the text of from with which the list is the wanted one.
func (h *Header) rename(doc, body []byte, f *field, want []string, from, to string) (out []byte, ok bool) {
	for at := f.lines.start; ; {
		i := strings.Index(h.text[at:f.lines.end], from)
		if i < 0 {
			return nil, false
		}
		at += i
		out, err := h.splice(doc, body, f, span{at, at + len(from)}, to)
		if after, _ := Split(out); err == nil && slices.Equal(after.List(f.key), want) {
			return out, true
		}
		at += len(from)
	}
}

// DropLines returns doc without the key's lines.
func DropLines(doc []byte, key string) ([]byte, error) {
	h, body := Split(doc)
	f, err := h.editable(key)
	if err != nil || f == nil {
		return doc, err
	}
	if h.isForeign() {
		return h.dropForeign(doc, body, f)
	}
	return h.splice(doc, body, f, f.lines, "")
}

// editable returns the field of the key, or nil if the header has no such key. The error
// says why the header cannot be edited.
func (h *Header) editable(key string) (*field, error) {
	if err := h.Err(); err != nil {
		return nil, err
	}
	return h.field(key), nil
}

// flowList returns "[a, b]".
func flowList(items []string) string {
	parts := make([]string, len(items))
	for i, s := range items {
		parts[i] = format(s, "", true)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// insert adds a key with a formatted value.
func (h *Header) insert(doc, body []byte, key, value string) ([]byte, error) {
	if key == "" || keyLen(key+":") != len(key) {
		return nil, fmt.Errorf("%q is not a plain key", key)
	}
	if h.isForeign() {
		h.parseFields()
		return h.insertForeign(doc, body, key, value)
	}
	line := key + ": " + value + h.eol
	if !h.found {
		return slices.Concat(doc[:h.start], []byte("---"+h.eol+line+"---"+h.eol), doc[h.start:]), nil
	}
	line = strings.Repeat(" ", h.indent()) + line
	at := len(h.text)
	switch own := h.field("id"); {
	case key == "cp_id" && own != nil:
		at = own.lines.end
	case key == "id" || key == "cp_id":
		at = 0
	}
	return h.splice(doc, body, &field{key: key}, span{at, at}, line)
}

// indent returns the indent of the keys.
func (h *Header) indent() int {
	h.parseFields()
	if len(h.fields) == 0 {
		return 0
	}
	row := h.text[h.fields[0].lines.start:]
	return len(row) - len(strings.TrimLeft(row, " "))
}

// extend adds items before the closing bracket of a list. ok is false where the items do not
// begin with those that are there, or the list is written in another way.
func (h *Header) extend(doc, body []byte, f *field, items []string) (out []byte, ok bool) {
	have := f.items
	old := h.text[f.lines.start:f.lines.end]
	if f.simple {
		old = h.text[f.lines.start:f.val.end]
	}
	last := strings.LastIndexByte(old, ']')
	if f.kind != list || last < 0 || len(items) < len(have) || !slices.Equal(have, items[:len(have)]) {
		return nil, false
	}
	old = strings.TrimRight(old[:last], " \r\n")
	more := strings.Trim(flowList(items[len(have):]), "[]")
	switch old[len(old)-1] {
	case ',':
		more = " " + more
	case '[':
	default:
		more = ", " + more
	}
	at := f.lines.start + len(old)
	out, err := h.splice(doc, body, f, span{at, at}, more)
	if err != nil {
		return nil, false
	}
	after, _ := Split(out)
	got := after.field(f.key)
	return out, got != nil && slices.Equal(got.items, items)
}

// replaceField returns doc with a formatted value for the field. A value that holds more than is
// read of it is not replaced.
func (h *Header) replaceField(doc, body []byte, f *field, value string) ([]byte, error) {
	switch {
	case f.kind == other:
		return nil, &Error{f.line + 1, "key " + f.key + " holds more than a text or a list of texts"}
	case f.remarks:
		return nil, &Error{f.line + 1, "key " + f.key + " has comments inside its value"}
	}
	if f.simple {
		if f.kind == null && f.val.start == f.val.end {
			value = " " + value
		}
		return h.splice(doc, body, f, f.val, value)
	}
	name, comment, ok := h.splitKeyLine(f)
	if !ok || h.isForeign() {
		return nil, &Error{f.line + 1, "key " + f.key + " is written in a way that cannot be edited by line"}
	}
	return h.splice(doc, body, f, f.lines, name+": "+value+comment+h.eol)
}

// splitKeyLine returns the text on the key's line before its colon. For a value that begins on
// a later line it also returns the comment after the colon.
func (h *Header) splitKeyLine(f *field) (name, comment string, ok bool) {
	row := strings.TrimRight(h.text[f.lines.start:lineEnd(h.text, f.lines.start)], "\r\n")
	for i := range len(row) {
		if row[i] != ':' || i+1 < len(row) && row[i+1] != ' ' {
			continue
		}
		name = row[:i]
		fields, _ := readKeys(strings.TrimLeft(row[:i], " ") + ": x")
		if len(fields) == 1 && fields[0].key == f.key && fields[0].value == "x" {
			if f.comment != "" {
				return name, " " + f.comment, true
			}
			if rest := strings.TrimLeft(row[i+1:], " "); strings.HasPrefix(rest, "#") && len(rest) < len(row[i+1:]) {
				comment = row[i+1:]
			}
			return name, comment, true
		}
	}
	return "", "", false
}

// rowList returns the field's lines with the new items. It keeps the old lines if the
// items that stay come first and in their order, and else writes all lines anew.
func (h *Header) rowList(f *field, items []string) string {
	var kept []string
	var out strings.Builder
	at := f.lines.start
	for i, row := range f.rows {
		out.WriteString(h.text[at:row.start])
		if at = row.end; slices.Contains(items, f.items[i]) && !slices.Contains(kept, f.items[i]) {
			kept = append(kept, f.items[i])
			out.WriteString(h.text[row.start:row.end])
		}
	}
	if len(kept) > len(items) || !slices.Equal(kept, items[:len(kept)]) {
		kept = nil
		out.Reset()
		out.WriteString(h.text[f.lines.start:f.rows[0].start])
	}
	for _, item := range items[len(kept):] {
		out.WriteString(strings.Repeat(" ", f.indent) + "- " + format(item, "", false) + h.eol)
	}
	return out.String()
}

// splice returns doc with a range of the header's text replaced, after checking
// that every other key and the body read as before. f is the key that changes.
func (h *Header) splice(doc, body []byte, f *field, at span, with string) ([]byte, error) {
	text := h.text[:at.start] + with + h.text[at.end:]
	out := slices.Concat(doc[:h.start], []byte(text), doc[h.start+len(h.text):])
	after, rest := Split(out)
	if after.Err() != nil || len(rest) != len(body) || !sameOthers(h, after, f.key) {
		return nil, &Error{max(f.line, 1) + 1, "key " + f.key + " cannot be edited without touching other lines"}
	}
	return out, nil
}

// sameOthers reports whether all keys but one stand in both headers alike, with the same bytes.
func sameOthers(a, b *Header, key string) bool {
	return slices.EqualFunc(a.otherFields(key), b.otherFields(key), func(x, y field) bool {
		return x.same(y) && a.text[x.lines.start:x.lines.end] == b.text[y.lines.start:y.lines.end]
	})
}

// otherFields returns the fields with another key.
func (h *Header) otherFields(key string) []field {
	h.parseFields()
	return slices.DeleteFunc(slices.Clone(h.fields), func(f field) bool { return f.key == key })
}
