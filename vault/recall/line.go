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

// linesOf returns the lines of a text.
func linesOf(body string) (all []line) {
	start, before := 0, 0
	eachLine(body, func(text, trimmed string, level int) {
		l := line{text: text, start: start, before: before, tokens: measure(text), level: level}
		if level > 0 {
			l.heading = strings.Trim(trimmed, "# ")
		}
		all = append(all, l)
		start, before = start+len(text), before+l.tokens
	})
	return all
}
