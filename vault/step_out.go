package vault

import (
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// TakeFromHeader is the Name of a step OpTakeOut that looks into the front matter only.
const TakeFromHeader = "front matter"

// takeOut replaces the first run of lines in List that the text holds by Value. If the
// text holds none of them, nothing changes.
func (s Step) takeOut(doc []byte) []byte {
	_, body := header.Split(doc)
	from, to := len(doc)-len(body), len(doc)
	if s.Name == TakeFromHeader {
		from, to = 0, from
	}
	for _, run := range s.List {
		if run == string(doc) {
			return []byte(s.Value)
		}
		if i := prose.FindLines(doc[from:to], run); i >= 0 {
			i += from
			return append(append(doc[:i:i], s.Value...), doc[i+len(run):]...)
		}
	}
	return doc
}
