package prose

import (
	"regexp"
	"strings"
	"sync"
)

var (
	// calling fits a piece of the markup in which models write a call: https://github.com/anthropics/claude-code/issues/84405
	calling = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*</?(?:\w+:)?(?:parameter|invoke|function_calls)(?:\s+name=[^>\n]*)?>|<parameter name=`)
	})
	// tagAtEnd fits a tag that ends a text.
	tagAtEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</([A-Za-z_]+)>\s*$`) })
)

// Torn tells, in a sentence each, what in a text looks as if a model's client had left it there:
// line ends that are written out as \n, a tag at the end that nothing opens, a piece of the call
// itself. Such a text may be meant so; it says nothing of one that has none of it.
func Torn(text string) (all []string) {
	if strings.Count(text, `\n`) > 1 && !strings.Contains(strings.TrimSpace(text), "\n") {
		all = append(all, `the text has \n written out, and no line end: it is kept as it came`)
	}
	if piece := calling().FindString(text); piece != "" {
		all = append(all, "the text holds "+strings.TrimSpace(piece)+", as a call has it: what stands behind it may be another parameter")
	} else if end := tagAtEnd().FindStringSubmatch(text); end != nil && !strings.Contains(text, "<"+end[1]) {
		all = append(all, "the text ends in </"+end[1]+">, which nothing in it opens: it is kept as it came")
	}
	return all
}
