package files

import (
	"testing"

	"github.com/cp-memory/cp/vault"
)

func TestLeaves(t *testing.T) {
	for _, row := range []struct {
		pattern string
		file    vault.Path
		out     bool
	}{
		{"Templates/", "Templates/a.md", true},
		{"Templates/", "notes/Templates/deep/a.md", true},
		{"Templates/", "Templates.md", false},
		{"Templates/", "MyTemplates/a.md", false},
		{"Templates", "Templates/a.md", true},
		{"draft-*.md", "notes/draft-1.md", true},
		{"draft-*.md", "notes/a-draft-1.md", false},
		{"notes/old", "notes/old/a.md", true},
		{"notes/old", "more/notes/old/a.md", false},
		{"/archive", "archive/a.md", true},
		{"/archive", "notes/archive/a.md", false},
		{"/archive/", "archive/a/b.md", true},
		{"20[0-1]?", "2019/a.md", true},
		{"20[0-1]?", "2026/a.md", false},
		{"*/old/*.md", "notes/old/a.md", true},
	} {
		if got := (Leaves{row.pattern}).Out(row.file); got != row.out {
			t.Errorf("%s of %s: got %v", row.file, row.pattern, got)
		}
	}
	if (Leaves{}).Out("a.md") {
		t.Error("nothing leaves out something")
	}
}
