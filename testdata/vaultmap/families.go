package vaultmap

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Key is what looks like a credential.
const Key = "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT"

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

// Family is a parent and its two children, in agreement.
func Family() Files {
	return Files{
		"deploy.md":          File("pf-aa1", "Deployment", "", "How we deploy.\n") + Block("pf-aa2|Rollback|when to go back", "pf-aa3|Secrets|when a key leaks"),
		"deploy/rollback.md": File("pf-aa2", "Rollback", "when to go back", "Roll back.\n"),
		"deploy/secrets.md":  File("pf-aa3", "Secrets", "when a key leaks", "Rotate.\n"),
	}
}

// Deep is the family with a third level.
func Deep() Files {
	return Family().With(Files{
		"deploy/rollback.md":      File("pf-aa2", "Rollback", "when to go back", "Roll back.\n") + Block("pf-aa4|Database|when data is lost"),
		"deploy/rollback/data.md": File("pf-aa4", "Database", "when data is lost", "Restore it.\n"),
	})
}

// Damaged is the family with a parent that cannot be edited.
func Damaged() Files {
	return Family().With(Files{"deploy.md": strings.Replace(Family()["deploy.md"], "},", "}", 1)})
}

// Broken makes a file that cannot be read.
func Broken(p vault.Path) func(*World) { return func(w *World) { w.Broken = append(w.Broken, p) } }

// Failed is what a mirror says that fails.
const Failed = "the mirror failed"

// Failing makes the mirror fail.
func Failing(w *World) { w.Fails = errors.New(Failed) }

// Journal is the memory at journal.md, as the first entry makes it.
const Journal = "---\nid: pf-journal\ntitle: Journal\ntype: memory\nstatus: open\n" +
	"summary: When you want to know what was decided, tried or found out, and when\njournal: true\npointers: none\n---\n"
