package page

import (
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markWords returns a text with the words of a question marked, where they begin a word of the
// text, or stand anywhere in one whose script has no spaces. What could be HTML is escaped.
func markWords(text any, question string) template.HTML {
	s := visible(text)
	words := strings.FieldsFunc(question, func(r rune) bool { return !wordly(r) })
	var b strings.Builder
	from, before := 0, ' '
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if end := i + longest(s[i:], words); end > i && (!wordly(before) || r >= 0x2e80) {
			b.WriteString(template.HTMLEscapeString(s[from:i]) + "<mark>" + template.HTMLEscapeString(s[i:end]) + "</mark>")
			before, _ = utf8.DecodeLastRuneInString(s[:end])
			i, from = end, end
			continue
		}
		before, i = r, i+n
	}
	return template.HTML(b.String() + template.HTMLEscapeString(s[from:]))
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// longest returns the length of the longest of the words with which a text begins, whatever
// their case.
func longest(text string, words []string) (n int) {
	for _, w := range words {
		if len(w) > n && len(w) <= len(text) && strings.EqualFold(text[:len(w)], w) {
			n = len(w)
		}
	}
	return n
}
