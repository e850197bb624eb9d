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

// chunks calls fn with the passages of a text, in order.
func chunks(prose string, fn func(chunk)) {
	var way [7]string
	heading, start, end := "", 0, 0
	flush := func(to int) {
		if text := prose[start:to]; strings.TrimSpace(text) != "" || heading != "" {
			fn(chunk{heading, text})
		}
	}
	eachLine(prose, func(line, trimmed string, level int) {
		end += len(line)
		if level > 0 {
			flush(end - len(line))
			heading, start = noteHeading(&way, level, strings.Trim(trimmed, "# ")), end
		} else if trimmed == "" && end-start > chunkBytes {
			flush(end)
			start = end
		}
	})
	flush(len(prose))
}

// eachLine calls fn with the lines of a text. level is 1 to 6 for a heading: a line that begins with
// #, outside of code fences.
func eachLine(prose string, fn func(line, trimmed string, level int)) {
	fenced := false
	for line := range strings.Lines(prose) {
		trimmed, level := strings.TrimSpace(line), 0
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		if !fenced {
			level = headingLevel(line)
		}
		fn(line, trimmed, level)
	}
}

// Headings parts a text into what its headings say and the rest, its body.
func Headings(prose string) (headings []string, body string) {
	var b strings.Builder
	eachLine(prose, func(line, trimmed string, level int) {
		if level > 0 {
			headings = append(headings, strings.Trim(trimmed, "# "))
		} else {
			b.WriteString(line)
		}
	})
	return headings, b.String()
}

// headingLevel returns 1 to 6 for a heading's line, else 0.
func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n == 0 || n > 6 || n == len(line) || line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// noteHeading notes a heading and returns it with the headings above it.
func noteHeading(way *[7]string, level int, heading string) string {
	way[level] = heading
	clear(way[level+1:])
	if level == 1 {
		return heading
	}
	return strings.Join(strings.Fields(strings.Join(way[2:level+1], " ")), " ")
}
