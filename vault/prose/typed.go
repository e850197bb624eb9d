package prose

import "strings"

// LinkTarget returns what somebody typed without the signs of a link, a quotation or an address:
// the target of [[f/Note#part|words]], [words](f/A%20note.md), memory://f/A%20note.md or
// `f/Note.md`; of f\Note.md the same with a slash. A fragment goes where it follows a link or a Markdown file. A text without
// any such sign stays as it is, but for spaces around it.
func LinkTarget(typed string) string {
	s := strings.TrimSpace(typed)
	for _, around := range [...]string{"``", `""`, "''", "<>", "“”"} {
		open, end := around[:len(around)/2], around[len(around)/2:]
		if inner, ok := cutAround(s, open, end); ok {
			s = inner
		}
	}
	if inner, ok := cutAround(strings.TrimPrefix(s, "!"), "[[", "]]"); ok {
		return cutMemory(unescape(wikiTarget(inner)))
	}
	if text, dest, ok := strings.Cut(s, "]("); ok && strings.HasPrefix(text, "[") && strings.HasSuffix(dest, ")") {
		s, _, _ = strings.Cut(strings.TrimSuffix(dest, ")"), ` "`) // its title
		s = strings.Trim(strings.TrimSpace(s), "<>")
	}
	if path, _, ok := strings.Cut(s, "#"); ok && markdown(path) {
		s = path
	}
	if markdown(s) && !strings.Contains(s, "/") {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	return cutMemory(unescape(s))
}

// cutMemory drops the scheme of a memory's address. What then begins with a slash is a path of the vault.
func cutMemory(s string) string {
	if rest, ok := strings.CutPrefix(s, "memory://"); ok {
		s = strings.TrimLeft(rest, "/")
	}
	return s
}

// cutAround takes the signs around a text away.
func cutAround(s, open, end string) (inner string, ok bool) {
	if len(s) <= len(open)+len(end) || !strings.HasPrefix(s, open) || !strings.HasSuffix(s, end) {
		return s, false
	}
	return strings.TrimSpace(s[len(open) : len(s)-len(end)]), true
}
