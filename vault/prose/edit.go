package prose

import (
	"bytes"
	"strings"
)

// LineEnd returns the line end of the first line of body, of doc where body has none; else "\n".
func LineEnd(body, doc []byte) string {
	for _, text := range [...][]byte{body, doc} {
		if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
			return "\r\n"
		} else if i >= 0 {
			break
		}
	}
	return "\n"
}

// WithEnds returns text with the given line ends throughout.
func WithEnds(text, eol string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if eol == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", eol)
}

// TrimNewlines returns text without the newlines around it.
func TrimNewlines(text string) string { return strings.Trim(text, "\r\n") }

// withFinalNewline returns text with one final newline, and with a blank line after it
// where something follows.
func withFinalNewline(text, eol string, follows bool) string {
	if text = strings.TrimRight(text, "\r\n"); text == "" {
		return ""
	}
	if follows {
		return text + eol + eol
	}
	return text + eol
}

// Append returns the prose, byte for byte, with the text as a paragraph after it.
func Append(prose, text, eol string, follows bool) string {
	text = withFinalNewline(WithEnds(TrimNewlines(text), eol), eol, follows)
	switch {
	case text == "", prose == "", strings.HasSuffix(prose, "\n\n"), strings.HasSuffix(prose, "\n\r\n"):
	case strings.HasSuffix(prose, "\n"):
		prose += eol
	default:
		prose += eol + eol
	}
	return prose + text
}

// FormatProse returns the text as the whole prose.
func FormatProse(text, eol string, follows bool) string {
	return withFinalNewline(WithEnds(text, eol), eol, follows)
}

// HasParagraph reports whether the prose has the text as a paragraph.
func HasParagraph(prose, text string) bool {
	return TrimNewlines(text) == "" || CountParagraph(prose, text) > 0
}

// CountParagraph returns how often the prose has the text as a paragraph.
func CountParagraph(prose, text string) (n int) {
	prose, text = WithEnds(prose, "\n"), WithEnds(TrimNewlines(text), "\n")
	if text == "" {
		return 0
	}
	for at := 0; ; {
		i := strings.Index(prose[at:], text)
		if i < 0 {
			return n
		}
		start, end := at+i, at+i+len(text)
		at = start + 1
		if (start == 0 || prose[start-1] == '\n') && (end == len(prose) || prose[end] == '\n') {
			n, at = n+1, end
		}
	}
}
