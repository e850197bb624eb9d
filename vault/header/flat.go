package header

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// parseFields fills fields and err from text, once.
func (h *Header) parseFields() {
	if !h.unread {
		return
	}
	h.unread = false
	if h.isForeign() {
		h.fields, h.err = h.readOtherForm()
	} else {
		h.fields, h.err = readKeys(h.text)
	}
	if h.err == nil {
		h.err = checkKeys(h.fields)
	}
	if h.err != nil {
		h.err.Line += h.fenceLines() - 1
	}
}

// readKeys returns the keys of a header's text.
func readKeys(text string) ([]field, *Error) {
	if fields, ok := flat(text); ok {
		return fields, nil
	}
	return library(text)
}

// checkKeys reports repeated keys and too many of them.
func checkKeys(fields []field) *Error {
	if len(fields) > maxKeys {
		return &Error{fields[maxKeys].line + 1, "front matter has more than 256 keys"}
	}
	for i, f := range fields {
		if slices.ContainsFunc(fields[:i], func(o field) bool { return o.key == f.key }) {
			return &Error{f.line + 1, "key " + f.key + " stands twice"}
		}
	}
	return nil
}

// flat reads a header of the ordinary shape:
//
//	key: plain value           # comment
//	key: "simply quoted"
//	key: [a, 'b', "c"]
//	key:
//	  - a
//	  - b
//
// ok is false for every other shape. The library reads those.
func flat(text string) (fields []field, ok bool) {
	if !isSafeYAML(text) {
		return nil, false
	}
	line := 0
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		line++
		row := strings.TrimRight(text[at:end], "\r\n")
		switch {
		case comment(row):
		case row[0] == ' ' || row[0] == '-':
			if len(fields) == 0 || !fields[len(fields)-1].readItem(row, at, end) {
				return nil, false
			}
		default:
			f, ok := flatField(row, at)
			if !ok {
				return nil, false
			}
			f.line, f.lines = line, span{at, end}
			fields = append(fields, f)
		}
		at = end
	}
	return fields, true
}

// comment reports whether a whole line says nothing to YAML.
func comment(row string) bool {
	bare := strings.TrimLeft(row, " ")
	return bare == "" || bare[0] == '#'
}

// isSafeYAML reports whether text holds only characters that mean nothing to YAML's reader.
func isSafeYAML(text string) bool {
	for i, r := range text {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\r' && strings.HasPrefix(text[i:], "\r\n"):
		case r == utf8.RuneError || !yamlPrintable(r):
			return false
		}
	}
	return true
}

// flatField reads "key: value" in row, which begins at offset at of the text.
func flatField(row string, at int) (field, bool) {
	n := keyLen(row)
	if n == 0 {
		return field{}, false
	}
	f := field{key: row[:n], simple: true}
	rest := strings.TrimLeft(row[n+1:], " ")
	from := len(row) - len(rest)
	if rest == "" || rest[0] == '#' {
		f.kind, f.val = null, span{at + n + 1, at + n + 1}
		return f, true
	}
	size, ok := f.readValue(rest)
	f.val = span{at + from, at + from + size}
	return f, ok && tail(rest[size:])
}

// keyLen returns the length of the plain key that row begins with, up to its colon; 0
// without one. A colon inside a word is part of the key.
func keyLen(row string) int {
	for i := 0; i < min(len(row), 200); i++ { // YAML has no keys beyond 1,024
		switch c := row[i]; {
		case c == ':' && (i+1 == len(row) || row[i+1] == ' '):
			return i
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
		case i == 0 || (c < '0' || c > '9') && strings.IndexByte("-.:/", c) < 0:
			return 0
		}
	}
	return 0
}

// tail reports whether what follows a value is nothing or a comment.
func tail(s string) bool {
	t := strings.TrimLeft(s, " ")
	return t == "" || t[0] == '#' && len(t) < len(s)
}

// readValue sets the field's value from the start of s and returns its length.
func (f *field) readValue(s string) (int, bool) {
	if s[0] == '[' {
		f.kind = list
		return f.flow(s)
	}
	value, size, quoted, ok := flatScalar(s, false)
	f.value = value
	if !quoted && isNull(value) {
		f.kind, f.value = null, ""
	}
	return size, ok
}

// flow reads "[a, b]" and returns its length.
func (f *field) flow(s string) (int, bool) {
	at := 1
	for {
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " "))
		if at < len(s) && s[at] == ']' && len(f.items) == 0 {
			return at + 1, true
		}
		if at == len(s) {
			return 0, false
		}
		value, size, quoted, ok := flatScalar(s[at:], true)
		if !ok || !quoted && isNull(value) {
			return 0, false
		}
		f.items = append(f.items, value)
		at += size
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " "))
		switch {
		case at < len(s) && s[at] == ']':
			return at + 1, true
		case at == len(s) || s[at] != ',':
			return 0, false
		}
		at++
	}
}

// readItem reads a line "- value" of the field's list. All lines of a list are indented alike.
func (f *field) readItem(row string, at, end int) bool {
	rest := strings.TrimLeft(row, " ")
	rest, ok := strings.CutPrefix(rest, "- ")
	if !ok || f.kind != null && f.kind != list || f.val.end > f.val.start || f.simple && f.kind == list {
		return false
	}
	indent := len(row) - len(rest) - 2
	if f.kind == list && indent != f.indent {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	if rest == "" {
		return false
	}
	value, size, quoted, ok := flatScalar(rest, false)
	if !ok || !tail(rest[size:]) || !quoted && isNull(value) {
		return false
	}
	f.kind, f.simple, f.indent, f.lines.end = list, false, indent, end
	f.items = append(f.items, value)
	f.rows = append(f.rows, span{at, end})
	return true
}

// flatScalar reads the simple scalar that s begins with: its value and its length in s.
func flatScalar(s string, inFlow bool) (value string, size int, quoted, ok bool) {
	if c := s[0]; c == '"' || c == '\'' {
		end := strings.IndexByte(s[1:], c)
		if end < 0 {
			return "", 0, true, false
		}
		value = s[1 : end+1]
		doubled := c == '\'' && strings.HasPrefix(s[end+2:], "'")
		return value, end + 2, true, !doubled && !strings.Contains(value, `\`)
	}
	if !plainStart(s[0]) {
		return "", 0, false, false
	}
	if inFlow {
		end := strings.IndexAny(s, `,[]{}:#?"'&*!|>%@`+"`")
		if end < 0 || s[end] != ',' && s[end] != ']' {
			return "", 0, false, false
		}
		value = strings.TrimRight(s[:end], " ")
		return value, len(value), false, true
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = s[:i]
	}
	value = strings.TrimRight(s, " ")
	return value, len(value), false, !strings.Contains(value, ": ") && !strings.HasSuffix(value, ":")
}

// plainStart reports whether a plain scalar may surely begin with c.
func plainStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf || strings.IndexByte("/(._~$+", c) >= 0
}

// isNull reports whether a plain scalar reads as null.
func isNull(s string) bool {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}
