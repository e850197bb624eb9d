package plumb

import (
	"strings"
	"testing"
)

// What an error calls a command of git by.
func TestSubcommand(t *testing.T) {
	for line, want := range map[string]string{
		"log -n 1":                            "log",
		"--no-pager log":                      "log",
		"-c log.follow=false log HEAD":        "log",
		"-c a.b=c -c d.e=f merge-tree -z a b": "merge-tree",
		"--version":                           "",
	} {
		if got := Subcommand(strings.Fields(line)); got != want {
			t.Errorf("git %s: got %q, want %q", line, got, want)
		}
	}
}
