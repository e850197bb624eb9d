package header_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/header"
)

func TestIs(t *testing.T) {
	for name, want := range map[string]bool{
		"x.mdc": true, "a/b/x.mdx": true, "x.markdown": true, "X.MDC": true, "x.Markdown": true, "x.md.mdc": true,
		"x.md": false, "x.mdcc": false, "x.mdoc": false, "mdc": false, ".mdc": false, "a/.mdc": false, "x.mdc/y": false, "x.markdow": false, "": false, "x.": false,
	} {
		if got := header.IsReadOnlyName(name); got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}

func TestIDFollowsFromThePath(t *testing.T) {
	a, b := header.ReadOnlyID("rules/go.mdc"), header.ReadOnlyID("rules/Go.mdc")
	if a != "f-"+a[2:] || len(a) != 10 || a == b || a != header.ReadOnlyID("rules/go.mdc") {
		t.Errorf("got %q and %q", a, b)
	}
}

func TestTextCanBeRead(t *testing.T) {
	for name, row := range map[string]struct{ text, key, want string }{
		"a pattern":                   {"---\ndescription: Go files\nglobs: *.go\n---\nText\n", "globs", "*.go"},
		"the key before it":           {"---\ndescription: Go files\nglobs: *.go\n---\nText\n", "description", "Go files"},
		"a colon":                     {"---\ndescription: When: always\n---\n", "description", "When: always"},
		"a quote in it":               {"---\ndescription: don't: ever\n---\n", "description", "don't: ever"},
		"an at sign":                  {"---\ndescription: @docs first\n---\n", "description", "@docs first"},
		"line ends of Windows":        {"---\r\nglobs: *.go\r\nname: x\r\n---\r\nText\r\n", "globs", "*.go"},
		"what can be read stays":      {"---\ndescription: \"a: b\"\nglobs: *.go\n---\n", "description", "a: b"},
		"a list below":                {"---\nglobs:\n  - \"*.go\"\ndescription: a: b\n---\n", "description", "a: b"},
		"a header that was fine":      {"---\ndescription: plain\n---\n", "description", "plain"},
		"one that cannot be mended":   {"---\n{ : [\n---\nText\n", "description", ""},
		"one that never ends":         {"---\ndescription: When: always\nText\n", "description", ""},
		"none":                        {"Text\n", "description", ""},
		"a text that says the header": {"---\nglobs: *.go\n---\nglobs: *.go\n", "globs", "*.go"},
	} {
		got := header.LegibleText([]byte(row.text))
		h, body := header.Split(got)
		_, was := header.Split([]byte(row.text))
		if value, _ := h.Get(row.key); value != row.want || string(body) != string(was) || strings.Count(string(got), "\n") != strings.Count(row.text, "\n") {
			t.Errorf("%s: got %q of %q, body %q", name, value, got, body)
		}
	}
}

// Whatever a text holds, its body and its lines stay.
func FuzzText(f *testing.F) {
	f.Add([]byte("---\nglobs: *.go\n---\nText\n"))
	f.Add([]byte("\ufeff---\r\ndescription: a: b\r\n...\r\nText"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		got := header.LegibleText(doc)
		_, was := header.Split(doc)
		if !strings.HasSuffix(string(got), string(was)) || strings.Count(string(got), "\n") != strings.Count(string(doc), "\n") {
			t.Errorf("%q became %q", doc, got)
		}
	})
}
