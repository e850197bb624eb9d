package prose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible writes runes that could steer a terminal, or hide text in it, as Go
// writes them in a string literal: \x1b, \u202e. Line feeds and tabs stay, CRLF becomes a line feed.
func Visible(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !strings.ContainsFunc(s, IsSteering) && utf8.ValidString(s) {
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

// escapeRune writes one rune as [Visible] does.
func escapeRune(r rune) string {
	switch {
	case !IsSteering(r):
		return string(r)
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// IsSteering reports whether r is a control character other than line feed and
// tab, a line separator, a bidirectional control, a byte order mark, a space
// without width, an invisible operator or one of the invisible tag characters.
// Joiners stay: emoji and several scripts need them. https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
func IsSteering(r rune) bool {
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
