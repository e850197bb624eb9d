package vault

import (
	"strings"
	"testing"
	"time"
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

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "word": 1, "four words of text": 5, "数据库": 2} {
		if got := Tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{"30m": "2026-03-01T11:30:00Z", "24h": "2026-02-28T12:00:00Z", "7d": "2026-02-22T12:00:00Z",
		"2w": "2026-02-15T12:00:00Z", "2026-01-01": "2026-01-01T00:00:00Z", "2026-02-01T09:30:00+01:00": "2026-02-01T08:30:00Z",
		"2026-02-01 09:30": "2026-02-01T09:30:00Z", "2026-02-01T09:30:01": "2026-02-01T09:30:01Z",
		"today": "2026-03-01T00:00:00Z", "Yesterday": "2026-02-28T00:00:00Z", "2 days ago": "2026-02-27T12:00:00Z", "1 hour ago": "2026-03-01T11:00:00Z",
		"3 weeks ago": "2026-02-08T12:00:00Z", "2 months ago": "2026-01-01T12:00:00Z", "1 year ago": "2025-03-01T12:00:00Z", "5 minutes ago": "2026-03-01T11:55:00Z"} {
		if got, err := ParseSince(in, now); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	for _, bad := range []string{"", "7", "7x", "d", "-1d", "2026-13-01", "1.5h", "tomorrow", "two days ago", "2 days", "-2 days ago", "2 moons ago"} {
		_, err := ParseSince(bad, now)
		if err == nil || err.Error() != "Invalid duration: '"+bad+"'. Use format like '7d', '24h', or '2026-01-01'" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestLabels(t *testing.T) {
	got := strings.Join(Labels([]string{"a, b", "b", " ", "c,,a"}), "|")
	if got != "a|b|c" {
		t.Errorf("got %s", got)
	}
}

func TestTitleOfText(t *testing.T) {
	if got := titleOf("# Heading\n\nand text"); got != "Heading and text" {
		t.Errorf("got %q", got)
	}
	if got := titleOf(strings.Repeat("ü", 300)); utf8.RuneCountInString(got) != 203 || !strings.HasSuffix(got, "...") {
		t.Errorf("got %q", got)
	}
}
