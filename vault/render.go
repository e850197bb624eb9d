package vault

import (
	"strings"

	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/frontmatter"
)

// Render returns the text of a fresh memory's file: its front matter with the
// keys that are set, in the order of the table of fields; then the prose as given,
// with a final newline. Block, links and path are not looked at.
func Render(m *Memory) (doc []byte, err error) {
	if m.ID != "" {
		doc, err = frontmatter.Set(nil, field.OwnID, string(m.ID))
	}
	if err == nil {
		doc, err = field.Write(doc, &m.Header, m.References)
	}
	if err != nil {
		return nil, damaged(err, 0)
	}
	prose := m.Prose
	if prose != "" && !strings.HasSuffix(prose, "\n") {
		prose += "\n"
	}
	return append(doc, prose...), nil
}
