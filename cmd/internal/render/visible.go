package render

import (
	"strings"

	"github.com/cp-memory/cp/vault/prose"
)

// Line returns s as one line that is safe on a terminal: line breaks and tabs
// become a space, and what could steer the terminal is made visible.
func Line(s string) string {
	if printable(s) {
		return s
	}
	if !strings.ContainsAny(s, breaks) {
		return prose.Visible(s)
	}
	var parts []string
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(breaks, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return prose.Visible(strings.Join(parts, " "))
}

// printable reports whether s is nothing but letters, digits and signs of ASCII, as most
// titles are.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// breaks are the characters that would leave the line or its columns.
const breaks = "\n\r\t\v\f"
