package recall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChunks(t *testing.T) {
	long := strings.Repeat("word ", 450)
	for _, row := range []struct {
		name, prose string
		want        []chunk
	}{
		{"nothing", "", nil},
		{"blank", " \n\n", nil},
		{"no heading", "one\n\ntwo\n", []chunk{{"", "one\n\ntwo\n"}}},
		{"the title's own heading", "# T\nx\n", []chunk{{"T", "x\n"}}},
		{"the way to a heading", "# T\n## A\na\n### B\nb\n## C\nc\n", []chunk{{"T", ""}, {"A", "a\n"}, {"A B", "b\n"}, {"C", "c\n"}}},
		{"closing marks", "## A ##\na\n", []chunk{{"A", "a\n"}}},
		{"no heading in code", "```\n# comment\n```\n", []chunk{{"", "```\n# comment\n```\n"}}},
		{"a tag is no heading", "#tag\n", []chunk{{"", "#tag\n"}}},
		{"seven marks are none", "####### x\n", []chunk{{"", "####### x\n"}}},
		{"long passages end at a blank line", long + "\n\nrest\n", []chunk{{"", long + "\n\n"}, {"", "rest\n"}}},
		{"CRLF", "## A\r\na\r\n", []chunk{{"A", "a\r\n"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []chunk
			chunks(row.prose, func(c chunk) { got = append(got, c) })
			if diff := cmp.Diff(row.want, got, cmp.AllowUnexported(chunk{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzChunks: no passage is lost, doubled or out of order.
func FuzzChunks(f *testing.F) {
	f.Add("# T\n## A\na\n```\n# x\n")
	f.Add(strings.Repeat("x\n\n", 2000))
	f.Fuzz(func(t *testing.T, prose string) {
		rest := prose
		chunks(prose, func(c chunk) {
			i := strings.Index(rest, c.text)
			if i < 0 {
				t.Fatalf("%q is not in what is left of %q", c.text, prose)
			}
			rest = rest[i+len(c.text):]
		})
	})
}
