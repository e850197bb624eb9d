package guide

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// What a session loads keeps to its tokens, with a vault and without one, and each length holds
// the shorter ones.
func TestLengths(t *testing.T) {
	w := Ways{Tools: true}
	rules, instructions, skill := Rules(w), Instructions(), Skill(w)
	if n := vault.Tokens(rules) + vault.Tokens(instructions) + vault.Tokens(skill); n > 900 {
		t.Errorf("a session has %d tokens", n)
	}
	if n := vault.Tokens(rules) + vault.Tokens(about) + vault.Tokens(None); n > 120 {
		t.Errorf("a session without a vault has %d tokens", n)
	}
	if !strings.HasPrefix(instructions, strings.TrimPrefix(rules, heading)) || !strings.Contains(skill, instructions) {
		t.Errorf("three texts:\n%s\n%s\n%s", rules, instructions, skill)
	}
}

// Who has tools is told of tools alone, and who has none of the program alone.
func TestWays(t *testing.T) {
	for _, text := range []string{Rules(Ways{Tools: true}), Instructions(), Skill(Ways{Tools: true}), None} {
		if typed := regexp.MustCompile(`cp-memory|cp memory [a-z]|--[a-z]|PROGRAM|\{[a-z]+\}`).FindString(text); typed != "" {
			t.Errorf("%q in\n%s", typed, text)
		}
	}
	for _, text := range []string{Rules(Ways{Program: "/x/cp memory"}), Skill(Ways{Program: "/x/cp memory"})} {
		if named := regexp.MustCompile(`memory_|PROGRAM|\{[a-z]+\}`).FindString(text); named != "" || !strings.Contains(text, "/x/cp memory recall") {
			t.Errorf("%q in\n%s", named, text)
		}
	}
}

func TestSayTools(t *testing.T) {
	for text, want := range map[string]string{
		"nothing of ours": "nothing of ours",
		"Memory has 2 children. Use --recursive to delete subtree":           `Memory has 2 children. Use "recursive" to delete subtree`,
		"`cp memory list` and `cp memory search` show the ids":               "memory_tree and memory_recall show the ids",
		"no vault here; cp init makes one":                                   "no vault here",
		"cp memory doctor --fix":                                             "",
		"read it again with `cp memory show pf-a -o json` and go on":         "read it again with memory_show and go on",
		"pf-aa1 Title: when (~20 tokens: cp memory show pf-aa1)":             "pf-aa1 Title: when (~20 tokens: memory_show)",
		"(+12 more roots: cp memory list --roots)":                           "(+12 more roots: memory_tree)",
		"A person is asked (cp memory review); if yours only adds":           "A person is asked; if yours only adds",
		"2 more went with it; bring one back with: cp memory restore x":      "2 more went with it",
		"Keep it: cp memory add --title T --summary \"when\" \"TEXT\"\nNext": "Keep it: memory_add\nNext",
		"saved (the repository is busy); will be committed":                  "saved (the repository is busy); will be committed",
	} {
		if got := SayTools(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
