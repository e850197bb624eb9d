package render

import (
	"slices"
	"testing"
)

func TestWidthsAreCellsNotBytes(t *testing.T) {
	for _, test := range []struct {
		name, in string
		n        int
		fit      string
	}{
		{"ASCII", "rollback", 5, "roll…"},
		{"it fits", "rollback", 8, "rollback"},
		{"no limit", "rollback", 0, "rollback"},
		{"Japanese takes two cells each", "記憶の木", 5, "記憶…"},
		{"a wide character is never halved", "記憶の木", 4, "記…"},
		{"combining marks take none", "e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"a joined emoji is one glyph", "👩‍💻👩‍💻👩‍💻", 4, "👩‍💻…"},
	} {
		if got := fitCells(test.in, test.n); got != test.fit {
			t.Errorf("%s: fit(%q, %d) = %q, want %q", test.name, test.in, test.n, got, test.fit)
		}
	}
	if got := pad("記憶", 6); got != "記憶  " {
		t.Errorf("pad = %q", got)
	}
}

func TestLinesFoldAtSpaces(t *testing.T) {
	for _, test := range []struct {
		name, in string
		n        int
		want     []string
	}{
		{"short", "one two", 20, []string{"one two"}},
		{"long", "If deploy succeeds but service unchanged", 20, []string{"If deploy succeeds", "but service", "unchanged"}},
		{"its indent stays", "  nomad job status penfold-worker", 24, []string{"  nomad job status", "  penfold-worker"}},
		{"columns stay apart", "a    b    c    d    e    f    g", 20, []string{"a    b    c    d", "e    f    g"}},
		{"a word wider than the screen stays whole", "https://example.org/a/very/long/path x", 20, []string{"https://example.org/a/very/long/path", "x"}},
		{"a pipe does not fold", "If deploy succeeds but service unchanged", 0, []string{"If deploy succeeds but service unchanged"}},
	} {
		if got := fold(test.in, test.n); !slices.Equal(got, test.want) {
			t.Errorf("%s: fold(%q, %d) = %q, want %q", test.name, test.in, test.n, got, test.want)
		}
	}
}
