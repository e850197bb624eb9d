package recall

import "strings"

// line is a line of a text.
type line struct {
	text    string
	start   int    // its place in the text
	tokens  int    // it has
	before  int    // the tokens of the lines before it
	level   int    // 1 to 6 of a heading, else 0
	heading string // what that says
}

func (l *line) blank() bool { return strings.TrimSpace(l.text) == "" }

// linesOf returns the lines of a text. Headings are lines that begin with #, outside of code
// fences.
func linesOf(body string) (all []line) {
	start, before, fenced := 0, 0, false
	for text := range strings.Lines(body) {
		l := line{text: text, start: start, before: before, tokens: measure(text)}
		trimmed := strings.TrimSpace(text)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		if !fenced {
			l.level = level(text)
		}
		if l.level > 0 {
			l.heading = strings.Trim(trimmed, "# ")
		}
		all = append(all, l)
		start, before = start+len(text), before+l.tokens
	}
	return all
}

// level returns 1 to 6 for a heading's line, else 0.
func level(text string) int {
	n := len(text) - len(strings.TrimLeft(text, "#"))
	if n == 0 || n > 6 || n == len(text) || text[n] != ' ' && text[n] != '\t' {
		return 0
	}
	return n
}
