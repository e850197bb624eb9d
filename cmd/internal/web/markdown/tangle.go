package markdown

import (
	"regexp"
	"strings"
	"sync"
)

// maxTangle bounds goldmark's work on the brackets of one paragraph, which may grow with their
// number times the paragraph's length: 30,000 times "[a](", 120 kB (3.6e9 here), take it 27 s.
const maxTangle = 1e8

// item begins a block of its own inside of a paragraph's lines, and ruler makes the lines around
// it a table, each of whose rows is read by itself.
var (
	item  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]`) })
	ruler = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r\n]*$`)
	})
)

// isTangled reports whether a paragraph has so many brackets that goldmark might take seconds for
// it. Such a text is shown as it is written.
func isTangled(prose string) bool {
	if strings.Count(prose, "[")*len(prose) <= maxTangle { // nor has a part of it
		return false
	}
	open, long, table := 0, 0, false
	for line := range strings.Lines(prose) {
		if blank := strings.TrimSpace(line) == ""; blank || table || item().MatchString(line) {
			open, long, table = 0, 0, table && !blank
		}
		if strings.Contains(line, "|") && ruler().MatchString(line) {
			open, long, table = 0, 0, true
		}
		open, long = open+strings.Count(line, "["), long+len(line)
		if open*long > maxTangle {
			return true
		}
	}
	return false
}
