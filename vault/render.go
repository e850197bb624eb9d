package vault

import (
	"cmp"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/frontmatter"
)

// Render returns the text of a fresh memory's file: its front matter with the
// keys that are set, in the order id, title, type, status, labels, summary,
// summary_of, created, creator, deferred_until, references; then the prose as given, with a
// final newline. Block, links and path are not looked at.
func Render(m *Memory) ([]byte, error) {
	var doc []byte
	var err error
	set := func(key, value string) {
		if value != "" && err == nil {
			doc, err = frontmatter.Set(doc, key, value)
		}
	}
	list := func(key string, items []string) {
		if len(items) > 0 && err == nil {
			doc, err = frontmatter.SetList(doc, key, items)
		}
	}
	set("id", string(m.ID))
	set("title", m.Title)
	set("type", cmp.Or(m.Type, TypeMemory))
	set("status", cmp.Or(m.Status, StatusOpen))
	list("labels", m.Labels)
	set("summary", m.Summary)
	set("summary_of", m.SummaryOf)
	set("created", stamp(m.Created))
	set("creator", m.Creator)
	set("deferred_until", stamp(m.Deferred))
	list("references", m.References)
	if err != nil {
		return nil, damaged(err, 0)
	}
	prose := m.Prose
	if prose != "" && !strings.HasSuffix(prose, "\n") {
		prose += "\n"
	}
	return append(doc, prose...), nil
}

// stamp writes a point in time as front matter does, UTC and to the second; empty for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
