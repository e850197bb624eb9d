package prose

import (
	"strings"
	"testing"
)

func TestDestinations(t *testing.T) {
	const block = "\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-a\", \"title\": \"A\", \"summary\": \"see [x](y.md)\"}\n]\n<!-- /sub-memories -->\n"
	for name, row := range map[string]struct{ text, want string }{
		"inline":               {"[a](x.md) [b](<y z.md> \"t\") [c]( ../x.md#f 't' )", "x.md <y z.md> ../x.md#f"},
		"images":               {"![a](x.png) [![b](y.png)](z.md)", "x.png y.png z.md"},
		"the same twice":       {"[a](x.md) [b](x.md)", "x.md x.md"},
		"not in code":          {"`[a](x.md)` [`](`](y.md) [b](y.md)\n\n```\n[c](x.md)\n[d]: x.md\n```\n\n    [e]: x.md\n", "y.md y.md"},
		"not in HTML":          {"<!-- [a](x.md) -->\n\n<div>\n[b](x.md)\n</div>\n\n[c](y.md)", "y.md"},
		"brackets in the text": {"[a [b] \\] c](x.md) [[d]](y.md)", "x.md y.md"},
		"definitions":          {"[a] and [b][c]\n\n[a]: x.md 'title'\n[c]: <y z.md>\n[unused]:\n  z.md\n> [q]: q.md\n", "x.md <y z.md> z.md q.md"},
		"no definitions":       {"[a]\n\n[a]: x.md\n\n```\n[a]: x.md\n```\ntext\n[a]: x.md\n", "x.md"},
		"wikilinks":            {"[[../a]] ![[./b.png|w]] [[c]] [[../d#e|f]]", "[[../a [[./b.png [[c [[../d"},
		"not in the block":     {"[a](x.md)\n" + block + "\n[b](y.md)\n", "x.md y.md"},
		"in a list":            {"- [a](x.md)\n  1. ![b](y.png)\n\n> [c](z.md)\n", "x.md y.png z.md"},
		"CRLF":                 {"# T\r\n\r\n[a](x.md)\r\n\r\n[b]: y.md\r\n", "x.md y.md"},
		"none":                 {"no link", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range Destinations(row.text) {
				if got = append(got, d.Raw); !strings.HasPrefix(row.text[d.start:], d.Raw) {
					t.Errorf("%q does not stand at %d", d.Raw, d.start)
				}
			}
			if strings.Join(got, " ") != row.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), row.want)
			}
		})
	}
}

func TestLead(t *testing.T) {
	for _, row := range []struct{ raw, target, want string }{
		{"a.md", "../a.md", "../a.md"},
		{"a.md#top", "../a.md", "../a.md#top"},
		{"a.md?x#top", "b/a.md", "b/a.md?x#top"},
		{"<a b.md#t>", "../a b.md", "<../a b.md#t>"},
		{"<a.md>", "x y/a.md", "<x y/a.md>"},
		{"a.md", "x y/(a).md", "x%20y/%28a%29.md"},
		{"a%20b.md", "../a b.md", "../a%20b.md"},
		{"a_(b).md", "../a_(b).md", "../a_(b).md"},
		{"a\\_b.md", "../a_b.md", "../a\\_b.md"},
		{"a&amp;b.md", "../a&b.md", "../a&amp;b.md"},
		{"%C3%A9.md", "../ü/é.md", "../%C3%BC/%C3%A9.md"},
		{"é.md", "ü/é.md", "ü/é.md"},
		{"100%.md", "../100%.md", "../100%.md"},
		{"100%/a.md", "x y/100%/a.md", "x%20y/100%25/a.md"},
		{"./a.md", "b/a.md", "./b/a.md"},
		{"./a.md", "../a.md", "../a.md"},
		{"sub/", "../sub", "../sub/"},
		{"a.md", "x:y.md", "./x:y.md"},
		{"a.md", "b#c.md", "b%23c.md"},
		{"[[../a", "b/a.md", "[[./b/a"},
		{"[[../a.md", "a.md", "[[./a.md"},
		{"[[./a", "../b#c.md", ""},
	} {
		got, ok := Lead(row.raw, row.target)
		if got != row.want || ok != (row.want != "") {
			t.Errorf("%s to %s: got %q, %v, want %q", row.raw, row.target, got, ok, row.want)
		}
	}
}

func TestRelative(t *testing.T) {
	for raw, want := range map[string]string{
		"a.md": "a.md", "<a b.md#x>": "a b.md", "a%20b.md?q": "a b.md", "a&#40;b.md": "a(b.md", "[[../a": "../a",
		"/a.md": "", "#f": "", "https://x.org/a.md": "", "mailto:x@y": "", "//h/a.md": "", "[[a": "", "%0a.md": "",
	} {
		if got, _, ok := Relative(raw); ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %q, %v, want %q", raw, got, ok, want)
		}
	}
}

// FuzzReplace: only the bytes of destinations change, and the way back restores them all.
func FuzzReplace(f *testing.F) {
	for _, s := range []string{"[a](x.md) `[b](x.md)`", "[a]\n\n[a]: <x y.md> 't'\n", "> ![a](x.png)\n> [[../x|y]]", "[`](`](x.md)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			t.Skip()
		}
		all := Destinations(text)
		if same := Replace(text, func(raw string) (string, bool) { return raw, true }); same != text {
			t.Fatalf("%q became %q", text, same)
		}
		end := 0
		for _, d := range all {
			if d.start < end || !strings.HasPrefix(text[d.start:], d.Raw) {
				t.Fatalf("%q: %+v", text, all)
			}
			end = d.start + len(d.Raw)
		}
	})
}
