package prose

import (
	"strings"
	"testing"
)

func TestAnchors(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for name, row := range map[string]struct{ prose, want string }{
		"a link":                     {"[restart loop](a.md)", "a.md=restart loop"},
		"a wikilink with a bar":      {"[[a|the loop]] [[b]]", "a=the loop b="},
		"in a table":                 {"| a |\n|---|\n| [[Note\\|pipe]] |\n", "Note=pipe"},
		"one target, many texts":     {"[x](a.md) [y](a.md) [x](a.md)", "a.md=x a.md=y"},
		"marks of emphasis":          {"[**restart** `loop`](a.md) [*x*](b.md)", "a.md=restart** loop b.md=x"},
		"over two lines":             {"[restart\nloop](a.md)", "a.md=restart loop"},
		"a picture":                  {"[![how it looks](p.png)](a.md)", "a.md=how it looks"},
		"by reference":               {"[loop][1]\n\n[1]: a.md\n", "a.md=loop"},
		"a wikilink in a text":       {"[see [[b]] here](a.md)", "a.md=see b here b="},
		"in code":                    {"`[x](a.md)`\n\n```\n[y](b.md)\n```\n", ""},
		"no file":                    {"[x](http://x.org/a.md)", ""},
		"a long text ends at a word": {"[" + long + "](a.md)", "a.md=" + strings.TrimSpace(long[:maxAnchor])},
		"one endless word":           {"[" + strings.Repeat("w", 400) + "](a.md)", "a.md="},
		"not UTF-8":                  {"[a\xffb](a.md)", "a.md=a\ufffdb"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, a := range Anchors(row.prose) {
				got = append(got, a.Target+"="+a.Text)
			}
			if strings.Join(got, " ") != row.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), row.want)
			}
		})
	}
}
