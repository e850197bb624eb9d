package pointer

import (
	"slices"
	"strings"
	"testing"
)

// FuzzPlain: where the shortcut applies, goldmark sees the same markers.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		"a\n" + Start + "\n[]\n" + End, "- a\n" + Start + "\n", "> a\n" + End + "\n", "1. x\n\n" + Start, "    code\n" + Start,
		"a\n===\n" + Start + "\n---\n", "[a]:\n" + Start, "\t" + Start, Start + "x\n", "[\n" + Start + "\n]: x", "|a|\n|-|\n" + Start,
		HiddenStart + "\n[]\n" + HiddenEnd, "- a\n" + HiddenStart + "\n\n[]\n" + HiddenEnd + "\n" + Start + "\n", HiddenStart + "x\n" + End, HiddenStart + "\n" + End,
		HiddenStart + " \n-->\n" + HiddenEnd, "a\n" + HiddenEnd, HiddenStart + "\n  " + HiddenEnd + "\nb",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		got, ok := findPlainMarkers(content)
		if !ok {
			return
		}
		want := comments(content)
		if !slices.Equal(got, want) {
			t.Fatalf("%q: shortcut %v, goldmark %v", content, got, want)
		}
	})
}

func TestDeepTextsEndInTime(t *testing.T) {
	var deep strings.Builder
	for i := range 1400 {
		deep.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	content := deep.String() + "\n```\n" + Start + "\n```\n" + Start + "\n[]\n" + End + "\n"
	if !TooDeep(content) {
		t.Fatal("the text is not deep enough for this test")
	}
	if b, err := FindBlock(content); err != nil || b == nil {
		t.Errorf("got %v, %v", b, err)
	}
}
