package vault

import (
	"strings"

	"github.com/cp-memory/cp/vault/header"
)

// Render returns the text of a fresh memory's file: its front matter with the
// keys that are set, in the order of the table of fields; then the prose as given,
// with a final newline. Block, links and path are not looked at.
//
// Prose that brings a front matter of its own along goes below that one: what it says of its
// title, phrase, labels, status and creation holds where m says nothing, and its other keys
// stay as they are written.
func Render(m *Memory) (doc []byte, err error) {
	own, err := OwnOf(m.Prose)
	if err == nil {
		doc, err = own.newFrontMatter()
	}
	if err == nil && m.ID != "" {
		doc, err = header.Set(doc, header.OwnID, string(m.ID))
	}
	if err == nil {
		head := own.into(m.Header)
		doc, err = header.WriteValues(doc, &head, m.References)
	}
	if err != nil {
		return nil, wrapCodecError(err, 0)
	}
	prose := own.Text
	if prose != "" && !strings.HasSuffix(prose, "\n") {
		prose += "\n"
	}
	return append(doc, prose...), nil
}
