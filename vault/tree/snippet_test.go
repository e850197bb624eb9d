package tree

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSnippetShowsTheBestLine(t *testing.T) {
	prose := "# Deploy\n\nNothing here.\n\nNomad marks the allocation as stuck.\nnomadic tribes\n"
	if got := Snippet(prose, []string{"nomad", "stuck"}, 80); got != "Nomad marks the allocation as stuck." {
		t.Errorf("got %q", got)
	}
	if got := Snippet(prose, nil, 80); got != "# Deploy" {
		t.Errorf("without terms: got %q", got)
	}
	if got := Snippet("", []string{"x"}, 80); got != "" {
		t.Errorf("of nothing: got %q", got)
	}
}

func TestSnippetCutsAroundTheTerm(t *testing.T) {
	line := strings.Repeat("word ", 100) + "needle " + strings.Repeat("wörd ", 100)
	got := Snippet(line, []string{"needle"}, 60)
	if !strings.Contains(got, "needle") || utf8.RuneCountInString(got) > 62 || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
	if got := Snippet("数据库迁移到新的服务器", []string{"迁移"}, 5); !strings.Contains(got, "迁移") {
		t.Errorf("without spaces: got %q", got)
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("some İstanbul text", "i̇", 3)
	f.Fuzz(func(t *testing.T, prose, term string, width int) {
		if width < 1 || width > 1000 {
			return
		}
		if got := Snippet(prose, []string{term}, width); utf8.RuneCountInString(got) > width+2 {
			t.Errorf("%d characters, want at most %d: %q", utf8.RuneCountInString(got), width+2, got)
		}
	})
}
