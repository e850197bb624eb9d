package pointer

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A program that formats Markdown takes the array of a visible block for a paragraph. It
// wraps its lines, inside of strings too, takes the escape from \" and gives one to [ and _:
//
//	\[ {"id": "pf-aa3", "title": "Nomad Stuck", "summary": "When allocation
//	shows "running" but \_old\_ binary"} \]
//
// That is no JSON, and whether a quote ends its string can only be told from what follows.

// quotes are what stands for a quote where a program makes quotes typographic.
var quotes = [...]string{`"`, "“", "”", "„", "«", "»"}

// quoteAt returns the length of the quote that text begins with, or 0.
func quoteAt(text string) int {
	for _, q := range quotes {
		if strings.HasPrefix(text, q) {
			return len(q)
		}
	}
	return 0
}

// readQuotedKey reads the quoted key that text begins with, and its length: 0 without one.
func readQuotedKey(text string) (string, int) {
	open := quoteAt(text)
	if open == 0 {
		return "", 0
	}
	for at := open; at < min(len(text), maxKey); at++ {
		if text[at] == '\n' || text[at] == '{' || text[at] == '}' {
			return "", 0
		}
		if n := quoteAt(text[at:]); n > 0 {
			return decode(text[open:at]), at + n
		}
	}
	return "", 0
}

// maxKey bounds a key with its quotes, in bytes.
const maxKey = 200

// guess reads the string that text begins with, to the first quote behind which the object
// goes on or ends, and its length. Any other value is read as value reads it.
func (s *scanner) guess(text string) (json.RawMessage, int) {
	open := quoteAt(text)
	if open == 0 {
		return s.readJSONValue(text)
	}
	for at := open; at < len(text) && !s.spent(); at++ {
		s.read++
		if entryAt(text[at:]) {
			break
		}
		n := quoteAt(text[at:])
		if n == 0 || !isValueEnd(text[at+n:]) {
			continue
		}
		if raw := quoteReadable(decode(text[open:at])); raw != nil {
			return raw, at + n
		}
		return nil, 0
	}
	return nil, 0
}

// entryAt reports whether text begins as an entry does.
func entryAt(text string) bool {
	bare, ok := strings.CutPrefix(text, "{")
	key, n := readQuotedKey(strings.TrimLeft(bare, space))
	return ok && n > 0 && key == "id"
}

// isValueEnd reports whether what follows a quote is the next key or the end of the object.
func isValueEnd(rest string) bool {
	rest = strings.TrimLeft(rest, space)
	if bare, ok := strings.CutPrefix(rest, ","); ok {
		_, n := readQuotedKey(strings.TrimLeft(bare, space))
		return n > 0 && strings.HasPrefix(strings.TrimLeft(strings.TrimLeft(bare, space)[n:], space), ":")
	}
	bare, ok := strings.CutPrefix(strings.TrimPrefix(rest, `\`), "}")
	if !ok {
		return false
	}
	next := strings.TrimLeft(bare, " \t\r")
	return next == "" || next[0] == '\n' || brackets(next) > 0 || next[0] == '{'
}

// decode returns what a string says in which the escapes of JSON and those of Markdown are
// mixed. A line break is a space.
func decode(raw string) string {
	var out []byte
	for at := 0; at < len(raw); {
		said, n := raw[at:at+1], 1
		switch raw[at] {
		case '\n':
			out = bytes.TrimRight(out, space)
			said, n = " ", len(raw[at:])-len(strings.TrimLeft(raw[at:], space))
		case '\\':
			said, n = escape(raw[at:])
		}
		out = append(out, said...)
		at += n
	}
	return string(out)
}

// escape returns what the escape says that raw begins with, and its length.
func escape(raw string) (string, int) {
	_, size := utf8.DecodeRuneInString(raw[1:])
	size++
	if strings.HasPrefix(raw, `\u`) {
		size = min(len(raw), len(`\u0000`))
		if strings.HasPrefix(raw[size:], `\u`) { // a pair of surrogates
			size = min(len(raw), 2*size)
		}
	}
	var said string
	if strings.IndexByte("bf", raw[min(1, len(raw)-1)]) < 0 && json.Unmarshal([]byte(`"`+raw[:size]+`"`), &said) == nil {
		return said, size
	}
	return raw[1:size], size // \_ of Markdown, and \b, which nobody means
}
