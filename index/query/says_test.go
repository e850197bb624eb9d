package query

import "testing"

func TestSays(t *testing.T) {
	for _, row := range []struct {
		text, target string
		says         bool
	}{
		{"restart loop", "nomad.md", true},
		{"Restart Loop", "ops/restart-loop.md", false},
		{"ops/restart-loop", "ops/restart-loop.md", false},
		{"../restart-loop.md", "../restart-loop.md", false},
		{"Café", "cafe.md", false},
		{"here", "a.md", false},
		{"click here!", "a.md", false},
		{"→", "a.md", false},
		{"[1]", "a.md", false},
		{"#12", "a.md", false},
		{"https://x.org/a", "a.md", false},
		{"", "a.md", false},
		{"C++ 17", "a.md", false},
		{"ISO 27", "a.md", true},
		{"重启循环", "a.md", true},
		{"这里", "a.md", false},
		{"here is how to restart", "a.md", true},
		{"नमस्ते", "a.md", true},
	} {
		if got := LinkSays(row.text, row.target) != ""; got != row.says {
			t.Errorf("%q of %s: says something is %t, want %t", row.text, row.target, got, row.says)
		}
	}
}
