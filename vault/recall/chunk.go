package recall

import "strings"

// chunk is a passage of a text: what stands below one heading, or a part of it.
type chunk struct {
	heading string // the headings above it, as "Restart Workers", without the title's
	text    string
}

// chunkBytes is the length from which a passage is cut at its next blank line: about 350
// tokens, one to three paragraphs.
const chunkBytes = 2000

// chunks calls fn with the passages of a text, in order. Headings are lines that
// begin with #, outside of code fences.
func chunks(prose string, fn func(chunk)) {
	var way [7]string
	heading, start, end, fenced := "", 0, 0, false
	flush := func(to int) {
		if text := prose[start:to]; strings.TrimSpace(text) != "" || heading != "" {
			fn(chunk{heading, text})
		}
	}
	for line := range strings.Lines(prose) {
		end += len(line)
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		if level := headingLevel(line); level > 0 && !fenced {
			flush(end - len(line))
			heading, start = below(&way, level, strings.Trim(trimmed, "# ")), end
		} else if trimmed == "" && end-start > chunkBytes {
			flush(end)
			start = end
		}
	}
	flush(len(prose))
}

// headingLevel returns 1 to 6 for a heading's line, else 0.
func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n == 0 || n > 6 || n == len(line) || line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// below notes a heading and returns it with the headings above it.
func below(way *[7]string, level int, heading string) string {
	way[level] = heading
	clear(way[level+1:])
	if level == 1 {
		return heading
	}
	return strings.Join(strings.Fields(strings.Join(way[2:level+1], " ")), " ")
}
