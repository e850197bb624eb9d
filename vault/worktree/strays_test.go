package worktree

import "testing"

func TestTempNames(t *testing.T) {
	for name, want := range map[string]string{
		".cp-20261102T140247.120-k3v9q2m1-leaving-0-0.tmp":      "20261102T140247.120-k3v9q2m1",
		".cp-20261102T140247.120-k3v9q2m1-0123456789abcdef.tmp": "20261102T140247.120-k3v9q2m1",
		".cp-20261102T140247.120-k3v9q2m1-core-CLAUDE.md.tmp":   "20261102T140247.120-k3v9q2m1",
		".cp-20261102T140247.120-k3v9q2m1.tmp":                  "",
		".cp-1-leaving-0-0.tmp":                                 "",
		".cp-notes-of-mine.tmp":                                 "",
		"cp-20261102T140247.120-k3v9q2m1-leaving-0-0.tmp":       "",
		".cp-20261102T140247.120-k3v9q2m1-leaving-0-0.md":       "",
	} {
		if got, ok := tempOf(name); got != want && ok || ok != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", name, got, ok, want)
		}
	}
}
