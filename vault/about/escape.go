package about

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// In a binding %XX, with two capital hex digits, is a byte that would be read as something
// else: "%", "#" and control characters everywhere, what a glob reads ("*", "?", "[", "{")
// and ":" in a path that is no glob, and bytes that are not UTF-8. All other bytes stand as
// they are: a text has one spelling.

const digits = "0123456789ABCDEF"

// pathBytes are the bytes that the path of a file or folder escapes beside those that
// all parts escape.
const pathBytes = "*?[{:"

// escape returns text with the bytes escaped that a part of a binding cannot hold; also names more.
func escape(text, also string) string {
	return escapeIf(text, func(c byte) bool { return c == '%' || c == '#' || strings.IndexByte(also, c) >= 0 })
}

// escapeUnreadable escapes control characters and what is not UTF-8.
func escapeUnreadable(text string) string { return escapeIf(text, func(byte) bool { return false }) }

func escapeIf(text string, must func(c byte) bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if c := text[i]; r == utf8.RuneError && n == 1 || c < ' ' || c == 0x7f || must(c) {
			b.WriteString(escapeByte(c))
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

func escapeByte(c byte) string { return string([]byte{'%', digits[c>>4], digits[c&15]}) }

// unescape returns the text with each %XX replaced by its byte. Another "%" stays.
func unescape(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c, ok := escapedByte(text[i:])
		if ok {
			b.WriteByte(c)
			i += 2
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// escapedByte returns the byte that text begins with as %XX.
func escapedByte(text string) (byte, bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	c, err := strconv.ParseUint(text[1:3], 16, 8)
	return byte(c), err == nil
}
