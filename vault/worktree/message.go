package worktree

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// message is the commit's: subject, note, trailers.
func message(c *vault.Change, op string) string {
	var b bytes.Buffer
	b.WriteString(subject(c) + "\n")
	if note := strings.TrimSpace(oneLineEach(c.Note)); note != "" {
		b.WriteString("\n" + note + "\n")
	}
	b.WriteString("\nCp-Op: " + op + "\nCp-Verb: " + vault.OneLine(c.Verb) + "\n")
	if c.ID != "" {
		b.WriteString("Cp-Id: " + vault.OneLine(string(c.ID)) + "\n")
	}
	if c.Agent != "" {
		b.WriteString("Cp-Agent: " + vault.OneLine(c.Agent) + "\n")
	}
	for _, op := range c.Undoes {
		b.WriteString("Cp-Undoes: " + vault.OneLine(op) + "\n")
	}
	if c.Settles != "" {
		b.WriteString("Cp-Settles: " + vault.OneLine(c.Settles) + "\n")
	}
	return b.String()
}

// subjectLen is git's customary width of a subject, in characters.
const subjectLen = 72

// subject is the commit's first line: memory: <verb> <id> "<title>".
func subject(c *vault.Change) string {
	words := []string{"memory:", vault.OneLine(c.Verb)}
	if c.ID != "" {
		words = append(words, vault.OneLine(string(c.ID)))
	}
	head := strings.Join(words, " ")
	title := vault.OneLine(c.Title)
	if title == "" {
		return cut(head, subjectLen)
	}
	room := subjectLen - len([]rune(head)) - len(` ""`)
	if room < 1 {
		return cut(head, subjectLen)
	}
	return head + ` "` + cut(title, room) + `"`
}

// cut shortens s to n characters and marks that it did.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return vault.Clip(s, n-1)
}

// oneLineEach does so with every line of s.
func oneLineEach(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = vault.OneLine(line)
	}
	return strings.Join(lines, "\n")
}
