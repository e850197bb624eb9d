package markdown

import (
	"strings"
	"testing"
)

// A paragraph full of brackets is shown as it is written, since nobody should wait for it; many
// links in a list, in a table or over paragraphs are links.
func TestTangled(t *testing.T) {
	link := "[a page of notes](https://example.test/a/page/of/notes) and words about it"
	for _, row := range []struct {
		name, prose string
		want        bool
	}{
		{"links that do not end", strings.Repeat("[a](", 30000), true},
		{"the same on many lines", strings.Repeat("[a](\n", 30000), true},
		{"the same in a quotation", strings.Repeat("> [a](\n", 30000), true},
		{"brackets", strings.Repeat("[[", 30000), true},
		{"behind a table", "| a |\n|---|\n\n" + strings.Repeat("[a](\n", 30000), true},
		{"one row of a table", "| a |\n|---|\n| " + strings.Repeat("[a](", 30000), true},
		{"a list of links", strings.Repeat("- "+link+"\n", 10000), false},
		{"a numbered list of links", strings.Repeat("12. "+link+"\n", 10000), false},
		{"a table of links", "| a |\n|---|\n" + strings.Repeat("| "+link+" |\n", 10000), false},
		{"paragraphs", strings.Repeat(link+"\n\n", 10000), false},
		{"a paragraph of a hundred links", strings.Repeat(link+" ", 100), false},
		{"a long text", strings.Repeat("words ", 200000), false},
	} {
		if got := isTangled(row.prose); got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
		if html := string(New().HTML(row.prose, At{})); strings.HasPrefix(html, "<pre>") != row.want {
			t.Errorf("%s is shown as %.60s", row.name, html)
		}
	}
}
