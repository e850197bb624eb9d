package registry

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// noted are lines of comment with the numbers of their lines.
type noted []struct {
	line int
	text string
}

// comments finds the lines of a text that are comments alone.
func comments(b []byte) (all noted) {
	at := 0
	for line := range strings.Lines(string(b)) {
		at++
		if text := strings.TrimSpace(line); len(text) > 0 && text[0] == '#' {
			for _, c := range comment(nil, text) {
				all = append(all, struct {
					line int
					text string
				}{at, c})
			}
		}
	}
	return all
}

// upTo takes the comments above a line.
func (n *noted) upTo(line int) (above []string) {
	for len(*n) > 0 && (*n)[0].line < line {
		above = append(above, (*n)[0].text)
		*n = (*n)[1:]
	}
	return above
}

// addLineComments adds the comments that stand behind values on their lines.
func addLineComments(to []string, n *yaml.Node) []string {
	if text := strings.TrimSpace(n.LineComment); text != "" && !strings.Contains(text, "\n") {
		to = comment(to, text)
	}
	for _, in := range n.Content {
		to = addLineComments(to, in)
	}
	return to
}
