package render

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/prose"
)

func TestTextThatCouldSteerATerminalIsMadeVisible(t *testing.T) {
	for _, test := range []struct{ name, in, line, block string }{
		{"plain text stays", "Nomad stuck", "Nomad stuck", "Nomad stuck"},
		{"an escape sequence", "\x1b[31mred\x07", `\x1b[31mred\x07`, `\x1b[31mred\x07`},
		{"a C1 control", "a\u009b31mb", `a\u009b31mb`, `a\u009b31mb`},
		{"a bidirectional override", "abc\u202egpj.exe", `abc\u202egpj.exe`, `abc\u202egpj.exe`},
		{"invisible tag characters", "hi\U000e0041", `hi\U000e0041`, `hi\U000e0041`},
		{"a space without width, and invisible operators", "run\u200bme\u2060\u2063", `run\u200bme\u2060\u2063`, `run\u200bme\u2060\u2063`},
		{"a byte order mark", "\ufeffTitle", `\ufeffTitle`, `\ufeffTitle`},
		{"bytes that are not UTF-8", "a\xffb", `a\xffb`, `a\xffb`},
		{"line feeds and tabs are one space in a line", "a\n\t b", "a b", "a\n\t b"},
		{"CRLF is a line feed", "a\r\nb", "a b", "a\nb"},
		{"a lone carriage return could overwrite a line", "a\rb", "a b", `a\x0db`},
		{"joined emoji stay", "👩‍💻", "👩‍💻", "👩‍💻"},
		{"spaces are part of a name", " a  b\u3000c ", " a  b\u3000c ", " a  b\u3000c "},
		{"nothing", "", "", ""},
	} {
		if got := Line(test.in); got != test.line {
			t.Errorf("%s: Line(%q) = %q, want %q", test.name, test.in, got, test.line)
		}
		if got := prose.Visible(test.in); got != test.block {
			t.Errorf("%s: Visible(%q) = %q, want %q", test.name, test.in, got, test.block)
		}
	}
}

func FuzzNothingGetsThroughThatSteers(f *testing.F) {
	f.Add("a\x1b[2J\u202e\r\n\xff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{Line(s), prose.Visible(s)} {
			if strings.ContainsFunc(out, prose.IsSteering) {
				t.Errorf("%q became %q", s, out)
			}
		}
		if strings.ContainsAny(Line(s), "\n\t") {
			t.Errorf("Line(%q) = %q has more than one line", s, Line(s))
		}
	})
}
