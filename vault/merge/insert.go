package merge

import (
	"slices"
	"strings"
)

// mergeProse merges the prose of a memory by lines. Two insertions at one place are no
// conflict, and a missing end of the last line is no change.
func mergeProse(base, ours, theirs string, write func(*strings.Builder, piece)) string {
	o, a, b := joinEndedLines([]string{base}, "\n"), joinEndedLines([]string{ours}, "\n"), joinEndedLines([]string{theirs}, "\n")
	pieces := joinConflicts(mergePieces(splitLines(o), splitLines(a), splitLines(b), true))
	text := writePieces(pieces, write)
	if n := len(pieces); n > 0 && !pieces[n-1].conflict && isLastLineOpen(base, ours, theirs) {
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

// isLastLineOpen reports whether the last line of the merged text has no end. The side that changed
// the text decides, or the side that changed only the end. If both changed the text, the
// end is missing if it is missing on both sides.
func isLastLineOpen(base, ours, theirs string) bool {
	is := func(s string) bool { return !strings.HasSuffix(s, "\n") }
	same := func(s string) bool { return strings.TrimSuffix(s, "\n") == strings.TrimSuffix(base, "\n") }
	switch {
	case same(ours) && same(theirs) && is(ours) != is(theirs):
		return !is(base)
	case same(ours) && !same(theirs):
		return is(theirs)
	case same(theirs) && !same(ours):
		return is(ours)
	}
	return is(ours) && is(theirs)
}

// joinInsertions returns the insertions of both sides behind the lines above: each one whole,
// the smaller first. An insertion that the other one holds is not repeated. A blank line
// keeps two paragraphs apart.
func joinInsertions(above, ours, theirs []string) []string {
	first, second := orderSides(ours, theirs)
	switch {
	case hasLines(second, first):
		return second
	case hasLines(first, second):
		return first
	}
	blank := func(line string) bool { return strings.TrimSpace(line) == "" }
	var between []string
	if (len(above) == 0 || blank(above[len(above)-1])) && !blank(first[len(first)-1]) && !blank(second[0]) {
		between = []string{"\n"}
	}
	return slices.Concat(first, between, second)
}

// hasLines reports whether the lines stand in others, in one piece.
func hasLines(others, lines []string) bool {
	for i := 0; i+len(lines) <= len(others); i++ {
		if slices.Equal(others[i:i+len(lines)], lines) {
			return true
		}
	}
	return false
}
