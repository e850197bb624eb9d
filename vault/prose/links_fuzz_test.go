package prose

import (
	"slices"
	"testing"
)

// FuzzLinked holds the links and their texts of the paragraphs with brackets to those of the
// whole prose.
func FuzzLinked(f *testing.F) {
	for _, s := range []string{
		"text\n\n[a](b.md) and [[c]]\n\nmore",
		"- item\n\n  [a](b.md)\n\n1. [x](y.md)\n\n> [q](r.md)\n\n![[z]]",
		"# [h](i.md)\n\n[a\n\nb](c.md)\n\n`[no](x.md)`\n===\n\n2. [[w]]\n   [[v]]",
		"a `b\n\n[c](d.md)` `[[e]]`\n\n* * *\n[f](g.md)\n---\n\n \n   [[h]]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, prose string) {
		if len(prose) > 1<<12 {
			t.Skip()
		}
		if got, want := anchorsIn(bracketParagraphs(prose)), anchorsIn(prose); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, the whole %v", prose, got, want)
		}
	})
}
