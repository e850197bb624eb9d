package about

import "strings"

// scanned is what a line of code says without its strings and comments.
type scanned struct {
	net    int    // opened brackets less closed ones
	braces bool   // a "{" is there
	last   byte   // its last byte that is no space; 0 if there is none
	open   string // the quote of a string that goes on beyond the line
}

// scan reads a line of the language.
func (l *language) scan(line string) (s scanned) {
	for i := 0; i < len(line); {
		c, rest := line[i], line[i:]
		if n := l.skip(rest, i == 0 || line[i-1] == ' ', &s); n > 0 {
			i += n
			continue
		}
		switch {
		case strings.IndexByte("([{", c) >= 0:
			s.net++
			s.braces = s.braces || c == '{'
		case strings.IndexByte(")]}", c) >= 0:
			s.net--
		}
		if c != ' ' && c != '\t' {
			s.last = c
		}
		i++
	}
	return s
}

// skip returns the length of the comment or string that a text begins with, else 0.
func (l *language) skip(text string, spaced bool, s *scanned) int {
	switch c := text[0]; {
	case strings.HasPrefix(text, l.comment) && (l.comment != "#" || spaced):
		return len(text)
	case l.comment == "//" && strings.HasPrefix(text, "/*"):
		end := strings.Index(text[2:], "*/")
		if end < 0 {
			return len(text)
		}
		return end + 4
	case strings.HasPrefix(text, `"""`), strings.HasPrefix(text, "'''") && l.comment == "#":
		return l.skipString(text, text[:3], s)
	case c == '`':
		return l.skipString(text, "`", s)
	case c == '"', c == '\'' && !l.chars:
		return l.skipString(text, text[:1], s)
	case c == '\'':
		return skipChar(text)
	}
	return 0
}

// skipString returns the length of a string with this quote. One of three quotes, or of a backquote, may go on beyond
// the line; another one that does not end is none.
func (l *language) skipString(text, quote string, s *scanned) int {
	for i := len(quote); i+len(quote) <= len(text); i++ {
		switch {
		case text[i] == '\\' && quote != "`":
			i++
		case text[i:i+len(quote)] == quote:
			s.last = quote[0]
			return i + len(quote)
		}
	}
	if quote != "'" && quote != `"` {
		s.open, s.last = quote, quote[0]
		return len(text)
	}
	return 1
}

// skipChar returns the length of a letter in quotes; a quote alone, as of a lifetime in Rust, is one byte.
func skipChar(text string) int {
	from := 1
	if strings.HasPrefix(text, `'\`) {
		from = 3
	}
	if from < len(text) {
		if end := strings.IndexByte(text[from:min(len(text), from+10)], '\''); end >= 0 && (from == 3 || end >= 1 && len([]rune(text[1:1+end])) == 1) {
			return from + end + 1
		}
	}
	return 1
}

// indentOf returns how deep a line is indented; a tab goes on to the next multiple of eight.
func indentOf(line string) (n int) {
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}
