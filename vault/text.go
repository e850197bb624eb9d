package vault

import (
	"strconv"
	"unicode/utf8"
)

// Clip cuts s to at most n bytes on a rune boundary and marks the cut.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Plural returns "1 child" or "3 children".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Short returns a commit's id as people write it.
func Short(commit string) string { return commit[:min(len(commit), 10)] }
