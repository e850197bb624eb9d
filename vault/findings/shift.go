package findings

import (
	"bytes"
	"strconv"
	"strings"
)

// Shift returns where a line of a file stands after a change, which is a unified diff of that
// file without context, as `git diff -U0` writes it. A line that was changed stands in what came
// in its place; of one that was deleted, the line after it counts.
//
//	@@ -10,2 +12,5 @@  two lines from 10 on became five from 12 on
func Shift(diff []byte, line int) int {
	moved := line
	for text := range bytes.Lines(diff) {
		rest, ok := strings.CutPrefix(string(text), "@@ -")
		if !ok {
			continue
		}
		was, now, _ := strings.Cut(rest, " +")
		now, _, _ = strings.Cut(now, " ")
		from, gone := span(was)
		to, came := span(now)
		if gone == 0 {
			from++ // what is added stands behind the line that git names
		}
		if came == 0 {
			to++
		}
		switch {
		case line < from:
			return moved
		case line < from+gone:
			return to + min(line-from, max(came-1, 0))
		}
		moved = line + to + came - from - gone
	}
	return moved
}

// span reads "10,2" or "10".
func span(s string) (start, n int) {
	first, count, several := strings.Cut(s, ",")
	start, _ = strconv.Atoi(first)
	if n = 1; several {
		n, _ = strconv.Atoi(count)
	}
	return start, n
}
