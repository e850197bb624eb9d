package render

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// cells measures text. Ambiguous characters, our box drawing among them, count
// as one cell in every locale, so that output does not depend on it.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// width returns how many cells s takes.
func width(s string) int { return cells.StringWidth(s) }

// fitCells cuts s to at most n cells and marks the cut with …; n of 0 or less is no limit.
func fitCells(s string, n int) string {
	if n <= 0 || width(s) <= n {
		return s
	}
	return cells.Truncate(s, n, "…")
}

// pad fills s with spaces up to n cells.
func pad(s string, n int) string {
	return s + spaces(n-width(s))
}

// padLeft fills s with spaces before it, up to n cells.
func padLeft(s string, n int) string {
	return spaces(n-width(s)) + s
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// fold breaks one line at spaces into lines of at most n cells, with the same indent.
// Wider words stay whole. It does not fold below 20 cells: so narrow a column helps
// nobody.
func fold(s string, n int) []string {
	if n < 20 || width(s) <= n {
		return []string{s}
	}
	text := strings.TrimLeft(s, " \t")
	indent := s[:len(s)-len(text)]
	var lines []string
	line := indent
	for text != "" {
		word := text[:firstWordEnd(text)]
		if line != indent && width(line+strings.TrimRight(word, " ")) > n {
			lines, line = append(lines, strings.TrimRight(line, " ")), indent
		}
		line, text = line+word, text[len(word):]
	}
	return append(lines, line)
}

// firstWordEnd returns where the first word of s ends, the spaces after it included.
func firstWordEnd(s string) int {
	space := strings.IndexByte(s, ' ')
	if space < 0 {
		return len(s)
	}
	return len(s) - len(strings.TrimLeft(s[space:], " "))
}
