package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s as one line that is safe on a terminal: line breaks and tabs
// become a space, and what could steer the terminal is made visible.
func Line(s string) string {
	if printable(s) {
		return s
	}
	if !strings.ContainsAny(s, breaks) {
		return visible(s)
	}
	var parts []string
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(breaks, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return visible(strings.Join(parts, " "))
}

// printable reports whether s is nothing but letters, digits and signs of ASCII, as most
// titles are.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// breaks are the characters that would leave the line or its columns.
const breaks = "\n\r\t\v\f"

// Block returns s, which may have many lines, safe on a terminal: line feeds
// and tabs stay, CRLF becomes a line feed, the rest is made visible.
func Block(s string) string {
	return visible(strings.ReplaceAll(s, "\r\n", "\n"))
}

// visible writes runes that could steer a terminal, or hide text in it, as Go
// writes them in a string literal: \x1b, \u202e. Line feeds and tabs stay.
func visible(s string) string {
	if !strings.ContainsFunc(s, steers) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteString(escapeRune(r))
		}
		i += n
	}
	return b.String()
}

func escapeRune(r rune) string {
	switch {
	case !steers(r):
		return string(r)
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// steers reports whether r is a control character other than line feed and
// tab, a line separator, a bidirectional control, a byte order mark, a space
// without width, an invisible operator or one of the invisible tag characters.
// Joiners stay: emoji and several scripts need them. https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
func steers(r rune) bool {
	switch {
	case r < 0xa0: // the end of the second set of control characters
		return r < ' ' && r != '\n' && r != '\t' || r > '~'
	case r < 0x61c: // the first bidirectional control
		return false
	case r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe:
		return true
	case r == 0x200b || r >= 0x2060 && r <= 0x2064:
		return true
	}
	return unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe007f
}
