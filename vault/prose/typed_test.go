package prose

import "testing"

// What is typed as a link, a quotation or an address is its target; what has none of their
// signs stays as it is.
func TestLinkTarget(t *testing.T) {
	for typed, want := range map[string]string{
		"": "", "  pf-7k2m  ": "pf-7k2m", "C# notes": "C# notes", "50% done": "50% done", "[draft] Plan": "[draft] Plan", "a|b": "a|b", "it's": "it's", "<": "<", "[[": "[[", "``": "``",
		"[[Note]]": "Note", "![[f/Note|words]]": "f/Note", "[[Note#Part]]": "Note", `[[Note\|words]]`: "Note", "[[ Note ]]": "Note", "[[f/A%20note]]": "f/A note",
		"f/A%20note.md": "f/A note.md", "f/A%20note.md#a-part": "f/A note.md", "A%2note": "A%2note", "%ff": "%ff",
		"[words](f/A%20note.md)": "f/A note.md", `[words](<f/A note.md> "its title")`: "f/A note.md", "[words](f/a.md#part)": "f/a.md",
		"memory://f/A%20note.md": "f/A note.md", "memory:///pf-7k2m": "pf-7k2m", "[[memory://f/a]]": "f/a", "[w](memory://f/a.md)": "f/a.md",
		"`f/a.md`": "f/a.md", `"A note"`: "A note", "'A note'": "A note", "“A note”": "A note", "<f/a.md>": "f/a.md", "`[[A note]]`": "A note",
		`f\A note.md`: "f/A note.md", `a\b`: `a\b`,
	} {
		if got := LinkTarget(typed); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}
