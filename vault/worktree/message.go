package worktree

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/cp-memory/cp/vault"
)

// message is the commit's: subject, note, trailers.
func message(c *vault.Change, op string) string {
	var b bytes.Buffer
	b.WriteString(subject(c) + "\n")
	if note := strings.TrimSpace(oneLineEach(c.Note)); note != "" {
		b.WriteString("\n" + note + "\n")
	}
	b.WriteString("\nCp-Op: " + op + "\nCp-Verb: " + oneLine(c.Verb) + "\n")
	if c.ID != "" {
		b.WriteString("Cp-Id: " + oneLine(string(c.ID)) + "\n")
	}
	if c.Agent != "" {
		b.WriteString("Cp-Agent: " + oneLine(c.Agent) + "\n")
	}
	for _, op := range c.Undoes {
		b.WriteString("Cp-Undoes: " + oneLine(op) + "\n")
	}
	if c.Settles != "" {
		b.WriteString("Cp-Settles: " + oneLine(c.Settles) + "\n")
	}
	return b.String()
}

// subjectLen is git's customary width of a subject, in characters.
const subjectLen = 72

// subject is the commit's first line: memory: <verb> <id> "<title>".
func subject(c *vault.Change) string {
	words := []string{"memory:", oneLine(c.Verb)}
	if c.ID != "" {
		words = append(words, oneLine(string(c.ID)))
	}
	head := strings.Join(words, " ")
	title := oneLine(c.Title)
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
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimRight(string(r[:n-1]), " ") + "…"
}

// oneLine returns s without control characters and with single spaces.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// oneLineEach does so with every line of s.
func oneLineEach(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = oneLine(line)
	}
	return strings.Join(lines, "\n")
}
