package tree_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

func TestLine(t *testing.T) {
	long := strings.Repeat("deploy ", 60)
	for _, c := range []struct {
		name, title, phrase string
		room                int
		wantTitle, want     string
	}{
		{"all fits", "Deploy", "When deploying", 20, "Deploy", "When deploying"},
		{"the phrase is cut first", "Deploy", "When deploying", 12, "Deploy", "When…"},
		{"then it is told that there is one", "Deploy", "When deploying", 7, "Deploy", "…"},
		{"then the title is cut", "Deploy", "When deploying", 5, "Dep…", "…"},
		{"what is not there is not told", "Deploy", "", 4, "Dep…", ""},
		{"one character is left", "Deploy", "", 0, "D…", ""},
		{"a long title is cut", long, "", 1000, long, ""},
		{"characters are whole", "移行移行", "", 3, "移行…", ""},
	} {
		title, phrase := tree.BriefLine(c.title, c.phrase, func(title, phrase string) bool {
			return len([]rune(title))+len([]rune(phrase)) <= c.room
		})
		if title != c.wantTitle || phrase != c.want {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, title, phrase, c.wantTitle, c.want)
		}
	}
	title, _ := tree.BriefLine(strings.Repeat(long, 9), "", func(title, _ string) bool { return vault.Tokens(title) <= 500 })
	if n := len([]rune(title)); n > 121 {
		t.Errorf("%d characters are left of a title that is cut; want 121 at the most", n)
	}
}
