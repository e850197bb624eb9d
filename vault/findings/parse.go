package findings

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// ParseReview reads the findings of a CODE_REVIEW.md. Of one that the program has made, those
// with a comment that names their memory are read, and nothing else can pass for one. Of a
// file that a person wrote, every heading that begins with a severity in brackets is a
// finding; the lines "Category:" and "Place:" or "File:" below it are read, too, and it has no
// id. A finding without a category is one of quality.
func ParseReview(text string) (all []Known) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	ours, fence := strings.HasPrefix(text, Mark), ""
	var k *Known
	for line := range strings.SplitSeq(text, "\n") {
		if mark := journal.FenceOf(line); mark != "" || fence != "" {
			switch {
			case fence == "":
				fence = mark
			case strings.HasPrefix(mark, fence):
				fence = ""
			}
			continue
		}
		if f, ok := parseHeading(line); ok {
			all = append(all, Known{Finding: f, Status: vault.StatusOpen, Again: []vault.ID{}})
			k = &all[len(all)-1]
		} else if strings.HasPrefix(line, "#") {
			k = nil
		} else if k != nil {
			k.readLine(line)
		}
	}
	kept := all[:0]
	for i := range all {
		if k := all[i]; k.ID != "" || !ours {
			if k.Category == "" {
				k.Category = "quality"
			}
			k.Agent = Agent(k.Category)
			kept = append(kept, k)
		}
	}
	return kept
}

var heading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#{2,6}[ \t]+\[([A-Za-z]+)\][ \t]+(.+)$`) })

// parseHeading reads a heading such as "### [HIGH] SQL injection in user_query()".
func parseHeading(line string) (f Finding, ok bool) {
	m := heading().FindStringSubmatch(strings.TrimRight(line, " \t"))
	if m == nil || Rank(foldWord(m[1])) == len(severities) {
		return f, false
	}
	return Finding{Severity: foldWord(m[1]), Summary: unescapeInline(m[2])}, true
}

// unescapeInline is the inverse of inline.
func unescapeInline(s string) string { return html.UnescapeString(strings.ReplaceAll(s, "]\\(", "](")) }

// readLine reads a line below a heading.
func (k *Known) readLine(line string) {
	if id, ok := strings.CutPrefix(line, "<!-- finding "); ok && k.ID == "" {
		if parsed, err := vault.ParseID(strings.TrimSpace(strings.TrimSuffix(id, "-->"))); err == nil {
			k.ID = parsed
		}
		return
	}
	name, value, ok := strings.Cut(strings.TrimLeft(line, "-*+ \t"), ":")
	if !ok {
		return
	}
	value = strings.Trim(strings.TrimSpace(strings.TrimLeft(value, "*")), "` ")
	switch foldWord(strings.Trim(name, "*")) {
	case "category":
		if c := categoryOf(value); CheckCategory(c) == nil && k.Category == "" {
			k.Category = c
		}
	case "place", "file", "location":
		if k.File == "" {
			k.File, k.Line = parsePlace(value)
		}
	}
}

// parsePlace reads "src/user.py:42".
func parsePlace(s string) (file string, line int) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if n, err := strconv.Atoi(s[i+1:]); err == nil && n > 0 {
			return s[:i], n
		}
	}
	return s, 0
}
