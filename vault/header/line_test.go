package header_test

import (
	"testing"

	"github.com/cp-memory/cp/vault/header"
)

// Each row is a settings file, and what it is with the project p.
func TestSetLine(t *testing.T) {
	for _, row := range []struct{ name, old, want string }{
		{"nothing", "", "project: p\n"},
		{"no end of the last line", "other: 1", "other: 1\nproject: p\n"},
		{"lines of another system", "other: 1\r\n", "other: 1\r\nproject: p\r\n"},
		{"another value", "# a\nproject: q\nother: 1\n", "# a\nproject: p\nother: 1\n"},
		{"a comment behind it", "project: q  # ours\r\nother: 1", "project: p  # ours\r\nother: 1"},
		{"a value of several words, quoted", "project: \"q # no, é\" # ours\n", "project: p # ours\n"},
		{"the same value in quotes", "project: \"p\" # ours\n", "project: \"p\" # ours\n"},
		{"no value", "project:\nother: 1\n", "project: p\nother: 1\n"},
		{"no value, and a comment", "project:  # ours\n", "project: p  # ours\n"},
		{"below another key", "x:\n  project: q\n", "x:\n  project: q\nproject: p\n"},
		{"a list", "project: [q] # ours\n", "project: p\n"},
		{"what is no YAML", "project: [q\nother: {\n", "project: p\nother: {\n"},
	} {
		got := string(header.SetLine([]byte(row.old), "project", "p"))
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
		if again := string(header.SetLine([]byte(got), "project", "p")); again != got {
			t.Errorf("%s: set twice: %q, want %q", row.name, again, got)
		}
	}
}

// A line keeps its indent, its key and what stands behind the value, whatever the value says.
func TestSetValue(t *testing.T) {
	for _, row := range []struct {
		line, value, want string
		ok                bool
	}{
		{"  '/é d': /old # for work\r\n", "/new: x", "  '/é d': '/new: x' # for work\r\n", true},
		{"format: 1\n", "2", "format: 2\n", true},
		{"a: 'it''s' # b\n", "c", "a: c # b\n", true},
		{"a: # b\n", "#", "a: '#' # b\n", true},
		{"a: >-\n", "b", "a: >-\n", false},
		{"a: {b: c}\n", "d", "a: {b: c}\n", false},
		{"- a\n", "b", "- a\n", false},
		{"", "b", "", false},
	} {
		if got, ok := header.SetValue(row.line, row.value); got != row.want || ok != row.ok {
			t.Errorf("%q: got %q, %v; want %q, %v", row.line, got, ok, row.want, row.ok)
		}
	}
}
