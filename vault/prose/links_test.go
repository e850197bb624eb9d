package prose

import (
	"strings"
	"testing"
)

func TestLinks(t *testing.T) {
	for name, row := range map[string]struct{ prose, want string }{
		"wikilinks":            {"[[Note]] [[Note|alias]] [[dir/Note#Head]] [[#local]] ![[img.png]] ![[Note#^b1]] [[ x ]]", "w:Note w:dir/Note w:img.png w:x"},
		"in a table":           {"| a |\n|---|\n| [[Note\\|pipe]] |\n", "w:Note"},
		"links":                {"[a](<b c.md>) [a](b%20c.md) [a]( ../x.md \"t\" ) [a](x.md#f) [a](X.MD)", "l:b c.md l:../x.md l:x.md l:X.MD"},
		"escapes":              {"[a](a\\_b.md) [a](a&amp;b.md) [a](%zz.md) [a](%ff.md)", "l:a_b.md l:a&b.md l:%zz.md l:%ff.md"},
		"references":           {"[r][1] and [short]\n\n[1]: x.md\n[short]: y.md 'title'\n[unused]: z.md\n", "l:x.md l:y.md"},
		"no files of ours":     {"[a](http://x.org/a.md) [a](mailto:x@y.md) [a](#f) [a](x.png) [a](//h/x.md) <http://x/a.md> ![i](p.png)", ""},
		"from the root":        {"[a](/docs/x.md)", "l:/docs/x.md"},
		"not in code":          {"`[[a]]` `` [b](b.md) ``\n\n```\n[[c]]\n```\n\n    [[d]]\n\n~~~\n[e](e.md)\n", ""},
		"not in HTML":          {"<!-- [[a]] -->\n\n<div data-x=\"[[b]]\">\n", ""},
		"escaped":              {"\\[[a]] \\[b](b.md)", ""},
		"text of a link":       {"[see [[a]] here](b.md)", "l:b.md w:a"},
		"double brackets":      {"[[1]](b.md) [[Note]](see there)", "l:b.md w:Note"},
		"open ones":            {"[[a\nb]] [[ [[c]] [d](e", "w:c"},
		"in emphasis and such": {"**[[a]]** ~~[b](b.md)~~ *x [[c]]*\n\n> [[d]]\n\n- [e](e.md)\n\n# [[f]]\n", "w:a l:b.md w:c w:d l:e.md w:f"},
		"control characters":   {"[a](%0a.md)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, l := range Links(row.prose) {
				got = append(got, l.Kind[:1]+":"+l.Target)
			}
			if strings.Join(got, " ") != row.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), row.want)
			}
		})
	}
}
