package pointer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/pointer"
)

// TestFormatted: what programs that format Markdown make of source.md names the same
// children in the same order. Where it is still JSON, it says the same; where it is not, the
// words are a guess, and no part of the array becomes prose.
//
// The files are what these have written: prettier 3.10.1 (-wrap: --prose-wrap always, -join:
// never), mdformat 1.0.0 (-wrap: --wrap 60), markdownlint-cli2 0.22.1 --fix, dprint's Markdown
// plug-in (-wrap: textWrap always), remark-gfm (-quotes: with remark-smartypants).
func TestFormatted(t *testing.T) {
	source := entriesOf(t, "source.md")
	files, err := filepath.Glob("testdata/formatted/*.md")
	if err != nil || len(files) != 11 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			got := entriesOf(t, filepath.Base(file))
			if !slices.EqualFunc(got, source, sameButWords) {
				t.Errorf("got  %+v\nwant %+v", got, source)
			}
			text := read(t, file)
			again, err := pointer.SetSubMemories(text, source)
			if b, _ := pointer.FindBlock(again); err != nil || !slices.EqualFunc(b.Entries, source, pointer.Entry.Equal) {
				t.Errorf("not repaired: %v\n%s", err, again)
			}
			if want := "# Parent\n\nIts text.\n\n<!-- sub-memories -->\n"; !strings.HasPrefix(again, want) || !strings.HasSuffix(again, "]\n<!-- /sub-memories -->\n") {
				t.Errorf("got %s", again)
			}
		})
	}
}

func sameButWords(a, b pointer.Entry) bool {
	alike := pointer.IsAlike(a.Title, b.Title) && pointer.IsAlike(a.Summary, b.Summary)
	return a.ID == b.ID && alike && len(a.Extra) == len(b.Extra)
}

// entriesOf returns the entries of a file, read as a repair reads them if it is damaged.
func entriesOf(t *testing.T, name string) []pointer.Entry {
	t.Helper()
	text := read(t, filepath.Join("testdata/formatted", name))
	if b, err := pointer.FindBlock(text); err == nil {
		return b.Entries
	}
	r := pointer.Readable(text)
	if r.Lost != "" || len(r.Again) > 0 {
		t.Errorf("lost %q, again %v", r.Lost, r.Again)
	}
	return r.Entries
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAlike(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"Use __init__ here", "Use **init** here", true},
		{"When a *path* has stars", "When a _path_ has stars", true},
		{"***three*** __*x*__", "_**three**_ **_x_**", true},
		{"2 * 3 * 4", "2 *3* 4", true},
		{"~one~", "~~one~~", true},
		{"a_b and [[x]]", `a\_b and \[\[x]]`, true},
		{`say "it" -- now...`, "say “it” — now…", true},
		{"R&D <https://x.org>", "R&amp;D https://x.org", true},
		{"a  b\nc", " a b c ", true},
		{"snake_case", "snake case", false},
		{"one-way", "oneway", false},
		{"x < y", "x > y", false},
		{"When a path", "When the path", false},
		{"set up", "setup", false},
		{"Ready?", "Ready", false},
	} {
		if got := pointer.IsAlike(row.a, row.b); got != row.want || pointer.IsAlike(row.b, row.a) != got {
			t.Errorf("%q and %q: got %v", row.a, row.b, got)
		}
	}
}

// TestLost: what begins as an entry in an array is never prose: it is told.
func TestLost(t *testing.T) {
	line := func(id string) string { return `{"id": "` + id + `", "title": "T"}` }
	for name, row := range map[string]struct{ inside, lost, prose string }{
		"an open quote":        {"[\n{\"id\": \"x\", \"title\": \"t}\nwrapped here\n" + line("y") + "\n]\n", "{\"id\": \"x\", \"title\": \"t}\nwrapped here\n", ""},
		"on one line":          {"[ {\"id\": \"x\", \"title\": }, " + line("y") + " ]\n", "{\"id\": \"x\", \"title\": }\n", ""},
		"escaped brackets":     {"\\[ {\"id\": ?}, " + line("y") + " \\]\n", "{\"id\": ?}\n", ""},
		"up to the bracket":    {"[\n" + line("y") + ",\n{\"id\": oh\nand more\n]\n", "{\"id\": oh\nand more\n", ""},
		"words between":        {"[ " + line("y") + ", see there " + line("z") + " ]\n", "", "see there \n"},
		"no array around it":   {"{\"id\": oh\n" + line("y") + "\n", "", "{\"id\": oh\n"},
		"an object of no id":   {"[\n{\"title\": \"t\"}\n" + line("y") + ",\n]\n", "{\"title\": \"t\"}\n", ""},
		"nothing but brackets": {"\\[\n" + line("y") + "\n\\]\n", "", ""},
	} {
		content := "a\n\n" + pointer.Start + "\n" + row.inside + pointer.End + "\n"
		r := pointer.Readable(content)
		if r.Lost != row.lost || !slices.ContainsFunc(r.Entries, func(e pointer.Entry) bool { return e.ID == "y" && !e.Guessed }) {
			t.Errorf("%s: lost %q, entries %+v", name, r.Lost, r.Entries)
		}
		got, err := pointer.SetSubMemories(content, r.Entries)
		b, _ := pointer.FindBlock(got)
		if want := "a\n\n" + row.prose; err != nil || strings.TrimRight(got[:b.Start], "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}
