package vaulttest

import (
	"fmt"
	"strings"
	"testing"
)

// File returns a memory's text.
func File(id, title, summary, body string) string {
	text := "---\nid: " + id + "\ntitle: " + title + "\n"
	if summary != "" {
		text += "summary: " + summary + "\n"
	}
	return text + "---\n" + body
}

// Block returns a pointer block of entries id|title|summary.
func Block(entries ...string) string {
	var lines []string
	for _, e := range entries {
		p := strings.Split(e, "|")
		lines = append(lines, fmt.Sprintf(`  {"id": %q, "title": %q, "summary": %q}`, p[0], p[1], p[2]))
	}
	return "\n<!-- sub-memories -->\n[\n" + strings.Join(lines, ",\n") + "\n]\n<!-- /sub-memories -->\n"
}

// Family is a vault with a parent and two children, in agreement.
func Family(t *testing.T) *World {
	w := New(t)
	w.Write("deploy.md", File("pf-aa1", "Deployment", "", "How we deploy.\n")+Block("pf-aa2|Rollback|when to go back", "pf-aa3|Secrets|when a key leaks"))
	w.Write("deploy/rollback.md", File("pf-aa2", "Rollback", "when to go back", "Roll back.\n"))
	w.Write("deploy/secrets.md", File("pf-aa3", "Secrets", "when a key leaks", "Rotate.\n"))
	w.Commit("a family")
	return w
}
