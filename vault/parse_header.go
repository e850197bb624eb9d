package vault

import (
	"strings"
	"unicode"

	"github.com/cp-memory/cp/vault/frontmatter"
)

// maxKeywords bounds Memory.Keywords in bytes.
const maxKeywords = 4 << 10

// ours are the keys whose values are told elsewhere, or say nothing about what
// the text is about.
var ours = map[string]bool{
	"id": true, "title": true, "type": true, "status": true, "labels": true, "summary": true, "description": true,
	"created": true, "creator": true, "deferred_until": true, "references": true, "supersedes": true, "superseded_by": true,
	"updated": true, "date": true, "author": true, "layout": true, "weight": true,
}

// keywords returns the words of the header's other keys, one value a line: by
// the aliases, tags and keywords of other programs a memory is found as well.
func keywords(h *frontmatter.Header) string {
	var b strings.Builder
	for _, key := range h.Keys() {
		if ours[key] {
			continue
		}
		for _, value := range h.List(key) {
			if b.Len()+len(value) < maxKeywords && strings.ContainsFunc(value, unicode.IsLetter) {
				b.WriteString(value)
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// ids returns the valid ids of a list without repetitions.
func ids(list []string) []ID {
	var out []ID
	for _, s := range unique(list) {
		if validID(s) {
			out = append(out, ID(s))
		}
	}
	return out
}
