package vault

import (
	"bytes"

	"github.com/cp-memory/cp/vault/frontmatter"
)

// TakeFromHeader is the Name of a step OpTakeOut that looks into the front matter only.
const TakeFromHeader = "front matter"

// takeOut replaces the first run of lines in List that the text holds by Value. If the
// text holds none of them, nothing changes.
func (s Step) takeOut(doc []byte) []byte {
	_, body := frontmatter.Split(doc)
	from, to := len(doc)-len(body), len(doc)
	if s.Name == TakeFromHeader {
		from, to = 0, from
	}
	for _, run := range s.List {
		if run == string(doc) {
			return []byte(s.Value)
		}
		if i := findLines(doc[from:to], run); i >= 0 {
			i += from
			return append(append(doc[:i:i], s.Value...), doc[i+len(run):]...)
		}
	}
	return doc
}

// findLines returns where a run of lines stands in the text; -1 where it does not.
func findLines(text []byte, run string) int {
	for at := 0; run != ""; at++ {
		i := bytes.Index(text[at:], []byte(run))
		if i < 0 {
			break
		}
		at += i
		starts := len(bytes.TrimPrefix(text[:at], []byte("\ufeff"))) == 0 || text[at-1] == '\n'
		if starts && (run[len(run)-1] == '\n' || at+len(run) == len(text)) {
			return at
		}
	}
	return -1
}
