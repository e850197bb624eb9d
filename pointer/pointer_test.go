package pointer_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/pointer"
	"github.com/google/go-cmp/cmp"
)

func entry(id string) pointer.Entry {
	return pointer.Entry{ID: id, Title: "Title of " + id, Summary: "When " + id}
}

// block renders entries as the package writes them.
func block(ids ...string) string {
	var lines []string
	for _, id := range ids {
		lines = append(lines, `  {"id": "`+id+`", "title": "Title of `+id+`", "summary": "When `+id+`"}`)
	}
	return "<!-- sub-memories -->\n[\n" + strings.Join(lines, ",\n") + "\n]\n<!-- /sub-memories -->\n"
}

// hidden renders entries as a hidden block.
func hidden(ids ...string) string {
	return strings.NewReplacer(pointer.Start, pointer.HiddenStart, pointer.End, pointer.HiddenEnd).Replace(block(ids...))
}

func ids(entries []pointer.Entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, e.ID)
	}
	return strings.Join(out, " ")
}

func mustParse(t *testing.T, content string) (string, []pointer.Entry) {
	t.Helper()
	main, entries, err := pointer.ParseSubMemories(content)
	if err != nil {
		t.Fatalf("parse %q: %v", content, err)
	}
	return main, entries
}

// The seed's unit tests, by their names.

func TestParseSubMemories_no_block(t *testing.T) {
	main, entries, err := pointer.ParseSubMemories("Just some text with no block")
	if main != "Just some text with no block" || entries != nil || err != nil {
		t.Errorf("got %q, %v, %v", main, entries, err)
	}
}

func TestParseSubMemories_with_block(t *testing.T) {
	main, entries := mustParse(t, "Prose.\n\nMore.\n\n"+block("pf-1", "pf-2"))
	if main != "Prose.\n\nMore." {
		t.Errorf("main: got %q", main)
	}
	if diff := cmp.Diff([]pointer.Entry{entry("pf-1"), entry("pf-2")}, entries); diff != "" {
		t.Error(diff)
	}
}

func TestParseSubMemories_invalid_JSON(t *testing.T) {
	main, _, err := pointer.ParseSubMemories("Prose.\n\n<!-- sub-memories -->\n[{oops]\n<!-- /sub-memories -->\n")
	if main != "Prose." || !errors.Is(err, pointer.ErrJSON) || !strings.Contains(err.Error(), "invalid sub-memories JSON") {
		t.Errorf("got %q, %v", main, err)
	}
	var d *pointer.Damage
	if !errors.As(err, &d) || d.Line != 4 {
		t.Errorf("line: got %+v, want 4", d)
	}
}

func TestParseSubMemories_unclosed_block(t *testing.T) {
	_, _, err := pointer.ParseSubMemories("Prose.\n\n<!-- sub-memories -->\n[]\n")
	if !errors.Is(err, pointer.ErrUnclosed) || !strings.Contains(err.Error(), "missing closing marker") {
		t.Errorf("got %v", err)
	}
}

func TestAppendSubMemory_creates_block(t *testing.T) {
	got, err := pointer.AppendSubMemory("Just text\n", entry("pf-1"))
	if want := "Just text\n\n" + block("pf-1"); err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestAppendSubMemory_adds_to_existing_block(t *testing.T) {
	got, err := pointer.AppendSubMemory("Prose.\n\n"+block("pf-1", "pf-2"), entry("pf-3"))
	if want := "Prose.\n\n" + block("pf-1", "pf-2", "pf-3"); err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestRemoveSubMemory_removes_entry(t *testing.T) {
	got, err := pointer.RemoveSubMemory("Prose.\n\n"+block("pf-1", "pf-2", "pf-3"), "pf-2")
	if want := "Prose.\n\n" + block("pf-1", "pf-3"); err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestRemoveSubMemory_last_entry_removes_block(t *testing.T) {
	got, err := pointer.RemoveSubMemory("Prose.\n\n"+block("pf-1"), "pf-1")
	if err != nil || got != "Prose.\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestRemoveSubMemory_non_existent_ID(t *testing.T) {
	content := "Prose.\n\n" + block("pf-1", "pf-2")
	got, err := pointer.RemoveSubMemory(content, "pf-99")
	if err != nil || got != content {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestRoundtrip_parse_append_parse(t *testing.T) {
	content := "Prose.\n\n" + block("pf-1", "pf-2")
	main, entries := mustParse(t, content)
	appended, err := pointer.AppendSubMemory(content, entry("pf-3"))
	if err != nil {
		t.Fatal(err)
	}
	main2, entries2 := mustParse(t, appended)
	if main2 != main || ids(entries2) != "pf-1 pf-2 pf-3" || len(entries) != 2 {
		t.Errorf("got %q, %s", main2, ids(entries2))
	}
}

// Beyond the seed.

func TestWhereMarkersCount(t *testing.T) {
	for name, row := range map[string]struct {
		content string
		want    string // ids; "-" for no block
	}{
		"in a fence":               {"```\n" + block("pf-1") + "```\n", "-"},
		"in a fence, then a block": {"```\n" + block("pf-1") + "```\n\n" + block("pf-2"), "pf-2"},
		"in a tilde fence":         {"~~~md\n" + block("pf-1") + "~~~\n", "-"},
		"indented as code":         {"a\n\n    <!-- sub-memories -->\n    []\n    <!-- /sub-memories -->\n", "-"},
		"in a code span":           {"Write `<!-- sub-memories -->` first.\n", "-"},
		"in the middle of a line":  {"The marker <!-- sub-memories --> opens it.\n", "-"},
		"in a list item":           {"- a\n\n  <!-- sub-memories -->\n  []\n  <!-- /sub-memories -->\n", "-"},
		"in a quotation":           {"> <!-- sub-memories -->\n> []\n> <!-- /sub-memories -->\n", "-"},
		"in a comment":             {"<!--\n" + block("pf-1"), "-"},
		"right after a paragraph":  {"text\n" + block("pf-1"), "pf-1"},
		"right after a list":       {"- item\n" + block("pf-1"), "pf-1"},
		"after other HTML":         {"<br>\n\n" + block("pf-1"), "pf-1"},
		"indented by two":          {"  <!-- sub-memories -->\n  []\n  <!-- /sub-memories -->\n", ""},
		"nothing before":           {block("pf-1"), "pf-1"},
		"on one line each":         {"<!-- sub-memories -->\n[{\"id\":\"a\"},{\"id\":\"b\"}]\n<!-- /sub-memories -->", "a b"},
		"hidden":                   {"a\n\n" + hidden("pf-1", "pf-2") + "after\n", "pf-1 pf-2"},
		"hidden, in a fence":       {"```\n" + hidden("pf-1") + "```\n", "-"},
		"hidden, after a fence":    {"```\n" + hidden("pf-1") + "```\n" + hidden("pf-2"), "pf-2"},
		"hidden, in a list item":   {"- a\n\n  <!-- sub-memories\n  []\n  /sub-memories -->\n", "-"},
		"hidden, in a quotation":   {"> <!-- sub-memories\n> []\n> /sub-memories -->\n", "-"},
		"hidden, after a text":     {"text\n" + hidden("pf-1"), "pf-1"},
		"hidden, after HTML":       {"<br>\n\n" + hidden("pf-1"), "pf-1"},
		"hidden, pretty-printed":   {"<!-- sub-memories\n[\n\n    {\n      \"id\": \"a\"\n    }\n]\n\n  /sub-memories -->", "a"},
		"hidden, indented by two":  {"  <!-- sub-memories\n  []\n  /sub-memories -->\n", ""},
		"another comment":          {"<!-- sub-memories of old\n[]\n/sub-memories -->\n", "-"},
		"the word alone":           {"The line\n\n    /sub-memories -->\n\nends it, as `/sub-memories -->` does.\n", "-"},
		"on one line":              {"a\n\n<!-- sub-memories -->[{\"id\":\"a\"}]<!-- /sub-memories -->\nafter\n", "a"},
		"on one line, empty":       {"<!-- sub-memories --> [] <!-- /sub-memories -->", ""},
		"hidden, on one line":      {"a\n\n<!-- sub-memories [{\"id\":\"a\"}] /sub-memories -->\nafter\n", "a"},
		"hidden, empty":            {"<!-- sub-memories [] /sub-memories -->", ""},
		"a comment of one line":    {"<!-- sub-memories: see /sub-memories -->\n", "-"},
		"on one line, in a fence":  {"```\n<!-- sub-memories -->[]<!-- /sub-memories -->\n```\n", "-"},
		"pretty-printed":           {"<!-- sub-memories -->\n[\n\n    {\n      \"id\": \"a\"\n    }\n]\n<!-- /sub-memories -->", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := pointer.FindBlock(row.content)
			got := "-"
			if b != nil {
				got = ids(b.Entries)
			}
			if got != row.want || err != nil && row.want != "-" {
				t.Errorf("got %q, %v; want %q", got, err, row.want)
			}
		})
	}
}

func TestDamage(t *testing.T) {
	open, end := pointer.Start+"\n", pointer.End+"\n"
	for name, row := range map[string]struct {
		content string
		want    error
		line    int
	}{
		"closing only":         {"a\n\n" + end, pointer.ErrReversed, 3},
		"reversed":             {"a\n\n" + end + "[]\n" + open, pointer.ErrReversed, 3},
		"two openings":         {open + "[]\n" + open, pointer.ErrUnclosed, 1},
		"two blocks":           {block("a") + "\n" + block("b"), pointer.ErrSeveral, 1},
		"a stray marker":       {open + "\n" + block("b"), pointer.ErrSeveral, 1},
		"an object":            {open + "{}\n" + end, pointer.ErrJSON, 2},
		"null":                 {open + "null\n" + end, pointer.ErrJSON, 2},
		"empty":                {open + end, pointer.ErrJSON, 2},
		"text after the array": {open + "[]\nprose\n" + end, pointer.ErrJSON, 3},
		"numbers":              {open + "[1]\n" + end, pointer.ErrJSON, 2},
		"an id of a number":    {open + "[\n  {\"id\": 5}\n]\n" + end, pointer.ErrJSON, 3},
		"a missing comma":      {open + "[\n{\"id\": \"a\"}\n{\"id\": \"b\"}\n]\n" + end, pointer.ErrJSON, 4},
		"hidden, unclosed":     {"a\n\n" + pointer.HiddenStart + "\n[]\n", pointer.ErrUnclosed, 3},
		"hidden, end only":     {"a\n\n[]\n" + pointer.HiddenEnd + "\n", pointer.ErrReversed, 4},
		"hidden, reversed":     {pointer.HiddenEnd + "\n[]\n" + pointer.HiddenStart + "\n", pointer.ErrReversed, 1},
		"hidden, too short":    {"a\n\n" + pointer.HiddenStart + "\n[\n{\"id\": \"a\", \"title\": \"-->\"}\n]\n" + pointer.HiddenEnd + "\n", pointer.ErrShown, 5},
		"hidden, then visible": {hidden("a") + block("b"), pointer.ErrSeveral, 1},
		"hidden, other end":    {pointer.HiddenStart + "\n[]\n" + end, pointer.ErrUnclosed, 1},
		"visible, other end":   {"a\n\n" + open + "[]\n" + pointer.HiddenEnd + "\n", pointer.ErrUnclosed, 3},
		"hidden, conflict":     {pointer.HiddenStart + "\n[\n<<<<<<< HEAD\n{\"id\": \"a\"}\n=======\n{\"id\": \"b\"}\n>>>>>>> x\n]\n" + pointer.HiddenEnd + "\n", pointer.ErrConflict, 3},
		"conflict inside":      {open + "[\n<<<<<<< HEAD\n{\"id\": \"a\"}\n=======\n{\"id\": \"b\"}\n>>>>>>> x\n]\n" + end, pointer.ErrConflict, 3},
		"conflict around":      {"<<<<<<< HEAD\n=======\n\n" + block("a") + ">>>>>>> x\n", pointer.ErrConflict, 9},
		"conflict of blocks":   {"a\n\n<<<<<<< HEAD\n" + block("a") + "=======\n" + block("b") + ">>>>>>> x\n", pointer.ErrConflict, 3},
		"conflict of styles":   {"<<<<<<< HEAD\n" + hidden("a") + "=======\n" + block("b") + ">>>>>>> x\n", pointer.ErrConflict, 1},
		"conflict, half open":  {"<<<<<<< HEAD\n" + open + "[]\n=======\nb\n>>>>>>> x\n", pointer.ErrConflict, 1},
		"conflict, reversed":   {"<<<<<<< HEAD\n" + end + "=======\nb\n>>>>>>> x\n", pointer.ErrConflict, 1},
		"conflict, no JSON":    {"<<<<<<< HEAD\n" + open + "[1]\n" + end + "\nb\n=======\nc\n>>>>>>> x\n", pointer.ErrConflict, 1},
		"conflict elsewhere":   {"<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n\n" + open + "[1]\n" + end, pointer.ErrJSON, 8},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := pointer.FindBlock(row.content)
			var d *pointer.Damage
			if !errors.Is(err, row.want) || !errors.As(err, &d) || d.Line != row.line {
				t.Errorf("got %v; want %v at line %d", err, row.want, row.line)
			}
			if _, err := pointer.AppendSubMemory(row.content, entry("x")); !errors.Is(err, row.want) {
				t.Errorf("append: got %v", err)
			}
		})
	}
}

func TestAppendThenRemoveRestoresTheText(t *testing.T) {
	for name, content := range map[string]string{
		"empty":                  "",
		"one newline":            "\n",
		"blank lines only":       "\n\n\n",
		"text":                   "a\n",
		"no final newline":       "a",
		"trailing blank line":    "a\n\n",
		"trailing blank lines":   "a\n\n\n\n",
		"trailing spaces":        "a\n  ",
		"CRLF":                   "a\r\nb\r\n",
		"CRLF, no final newline": "a\r\nb",
		"CRLF, blank lines":      "a\r\n\r\n",
		"mixed line ends":        "a\r\nb\n",
		"mixed the other way":    "a\nb\r\n",
		"a bare CR at the end":   "a\r",
		"a block":                "a\n\n" + block("pf-1"),
		"a block, then text":     "a\n\n" + block("pf-1") + "after\n",
		"a block on one line":    "a\n<!-- sub-memories -->\n[{\"id\":\"a\"}]\n<!-- /sub-memories -->",
		"hidden, on one line":    "a\n\n<!-- sub-memories [{\"id\":\"a\"}] /sub-memories -->\nb\n",
		"a hidden block":         "a\n\n" + hidden("pf-1"),
		"a hidden block, CRLF":   strings.ReplaceAll("a\n\n"+hidden("pf-1")+"after\n", "\n", "\r\n"),
		"an unended hidden one":  "a\n\n" + strings.Replace(hidden("pf-1"), "\n]", "\n ]", 1),
		"a block with CRLF":      strings.ReplaceAll("a\n\n"+block("pf-1"), "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) { appendThenRemove(t, content, entry("pf-new")) })
	}
}

// appendThenRemove checks the identity; it also checks what the block looks like.
func appendThenRemove(t *testing.T, content string, e pointer.Entry) {
	t.Helper()
	with, err := pointer.AppendSubMemory(content, e)
	if err != nil {
		t.Fatalf("append: %v", err)
	}
	if b, _ := pointer.FindBlock(content); b == nil {
		if !strings.HasSuffix(with, pointer.End+"\n") && !strings.HasSuffix(with, pointer.End+"\r\n") {
			t.Errorf("no final newline: %q", with)
		}
		lead := strings.TrimPrefix(with[:strings.LastIndex(with, pointer.Start)], content)
		if content != "" && strings.Count(content+lead, "\n") < 2 {
			t.Errorf("no blank line before the block: %q", with)
		}
	}
	without, err := pointer.RemoveSubMemory(with, e.ID)
	if err != nil || without != content {
		t.Errorf("got %q, %v\nwant %q\nwith %q", without, err, content, with)
	}
}

func TestTextsSurvive(t *testing.T) {
	for name, s := range map[string]string{
		"markers":       pointer.Start + pointer.End,
		"angle":         `a < b && c > d`,
		"quotes":        `say "it's" \ done`,
		"lines":         "one\ntwo\r\nthree\ttabbed",
		"control":       "\x00\x01\x1b[31m\x7f\u0085",
		"separators":    "a\u2028b\u2029c",
		"emoji":         "🚚 移行 한글",
		"comment ends":  "--> --!> ---> <!--",
		"html":          "</script><!-- x -->",
		"only an arrow": "->",
	} {
		t.Run(name, func(t *testing.T) {
			e := pointer.Entry{ID: "pf-1", Title: s, Summary: s}
			content, err := pointer.AppendSubMemory("a\n", e)
			if err != nil {
				t.Fatal(err)
			}
			if _, got := mustParse(t, content); !cmp.Equal(got, []pointer.Entry{e}) {
				t.Errorf("got %+v", got)
			}
			if strings.Count(content, "-->") != 2 || strings.Contains(content, "--!>") {
				t.Errorf("a comment may end inside: %s", content)
			}
			if strings.Count(content, "\n") != 7 {
				t.Errorf("the entry is not on one line: %s", content)
			}
		})
	}
	line, _ := pointer.Entry{ID: "a", Title: "x < y & z > 0", Summary: ""}.Line()
	if want := `{"id": "a", "title": "x < y & z > 0", "summary": ""}`; line != want {
		t.Errorf("got %s, want %s", line, want)
	}
}

func TestInvalidUTF8IsRefused(t *testing.T) {
	if _, err := pointer.AppendSubMemory("a\n", pointer.Entry{ID: "a", Title: "\xff"}); err == nil {
		t.Error("append took a title that is not UTF-8")
	}
	if _, err := pointer.SetSubMemory("a\n\n"+block("a"), pointer.Entry{ID: "a", Title: "\xff"}); err == nil {
		t.Error("set took a title that is not UTF-8")
	}
}

func TestForeignBytesSurvive(t *testing.T) {
	const handmade = "Prose.\n\n<!-- sub-memories -->\n" +
		"[ { \"summary\":\"s\",\"id\" : \"a\" , \"note\": {\"x\" : [1,2]} },\n" +
		"\t{\"id\":\"b\",\"title\":\"B\",\"summary\":\"sb\"} ]\n" +
		"<!-- /sub-memories -->\nText after.\n"
	got, err := pointer.SetSubMemory(handmade, pointer.Entry{ID: "a", Title: "A", Summary: "new"})
	want := strings.Replace(handmade, `"summary":"s","id" : "a"`, `"summary":"new","id" : "a", "title": "A"`, 1)
	if err != nil || got != want {
		t.Errorf("set: got %q, %v\nwant %q", got, err, want)
	}
	got, err = pointer.AppendSubMemory(handmade, entry("c"))
	want = strings.Replace(handmade, `"sb"}`, `"sb"},`+"\n\t"+`{"id": "c", "title": "Title of c", "summary": "When c"}`, 1)
	if err != nil || got != want {
		t.Errorf("append: got %q, %v\nwant %q", got, err, want)
	}
	got, err = pointer.RemoveSubMemory(handmade, "b")
	want = strings.Replace(handmade, ",\n\t"+`{"id":"b","title":"B","summary":"sb"}`, "", 1)
	if err != nil || got != want {
		t.Errorf("remove: got %q, %v\nwant %q", got, err, want)
	}
}

func TestSetSubMemory(t *testing.T) {
	content := "a\n\n" + block("pf-1", "pf-2")
	same, err := pointer.SetSubMemory(content, entry("pf-2"))
	if err != nil || same != content {
		t.Errorf("setting what stands: got %q, %v", same, err)
	}
	got, err := pointer.SetSubMemory(content, pointer.Entry{ID: "pf-1", Title: "Title of pf-1", Summary: "New --> one"})
	if want := strings.Replace(content, "When pf-1", `New --\u003e one`, 1); err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	got, err = pointer.SetSubMemory(content, entry("pf-3"))
	if want := "a\n\n" + block("pf-1", "pf-2", "pf-3"); err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

// An id is one however an entry spells it, and an entry that stands keeps its spelling.
func TestIDsInOtherCase(t *testing.T) {
	content := block("ADR-7", "adr-7", "\u00dcber")
	b, err := pointer.FindBlock(content)
	if err != nil || ids(b.Entries) != "ADR-7 \u00dcber" || ids(b.Repeated) != "adr-7" {
		t.Fatalf("got %+v, %v", b, err)
	}
	set, err := pointer.SetSubMemory(content, pointer.Entry{ID: "adr-7", Title: "Title of ADR-7", Summary: "new"})
	if want := strings.Replace(content, "When ADR-7", "new", 1); set != want || err != nil {
		t.Errorf("set: got %q, %v\nwant %q", set, err, want)
	}
	if same, err := pointer.AppendSubMemory(content, entry("Adr-7")); same != content || err != nil {
		t.Errorf("append: got %q, %v", same, err)
	}
	for id, want := range map[string]string{"aDR-7": block("\u00dcber"), "u\u0308ber": block("ADR-7", "adr-7")} {
		if left, err := pointer.RemoveSubMemory(content, id); left != want || err != nil {
			t.Errorf("remove %s: got %q, %v\nwant %q", id, left, err, want)
		}
	}
	pinned := strings.Replace(block("ADR-7"), `"When ADR-7"}`, `"When ADR-7", "pin": true}`, 1)
	anew, err := pointer.SetSubMemories(pinned, []pointer.Entry{entry("adr-7")})
	if want := strings.Replace(block("adr-7"), `"When adr-7"}`, `"When adr-7", "pin": true}`, 1); anew != want || err != nil {
		t.Errorf("anew: got %q, %v\nwant %q", anew, err, want)
	}
}

func TestRepeatedIDs(t *testing.T) {
	content := strings.Replace("a\n\n"+block("x", "y", "z"), `"z", "title"`, `"x", "title"`, 1)
	b, err := pointer.FindBlock(content)
	if err != nil || ids(b.Entries) != "x y" || ids(b.Repeated) != "x" || b.Entries[0].Title != "Title of x" {
		t.Fatalf("got %+v, %v", b, err)
	}
	got, err := pointer.RemoveSubMemory(content, "x")
	if want := "a\n\n" + block("y"); err != nil || got != want {
		t.Errorf("remove takes both: got %q, %v", got, err)
	}
	again, err := pointer.AppendSubMemory(content, entry("x"))
	if err != nil || again != content {
		t.Errorf("append of an id that stands: got %q, %v", again, err)
	}
}

func TestSetSubMemories(t *testing.T) {
	content := "a\n\n" + strings.Replace(block("x", "y"), `"When y"}`, `"When y", "pin": true}`, 1) + "\nafter\n"
	got, err := pointer.SetSubMemories(content, []pointer.Entry{entry("y"), entry("z")})
	want := "a\n\n" + strings.Replace(block("y", "z"), `"When y"}`, `"When y", "pin": true}`, 1) + "\nafter\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	got, err = pointer.SetSubMemories(content, nil)
	if err != nil || got != "a\n\nafter\n" {
		t.Errorf("none: got %q, %v", got, err)
	}
	got, err = pointer.SetSubMemories("a\n", nil)
	if err != nil || got != "a\n" {
		t.Errorf("none of none: got %q, %v", got, err)
	}
}

func TestRepair(t *testing.T) {
	open, end := pointer.Start+"\n", pointer.End+"\n"
	line := func(id string) string { return strings.Split(block(id), "\n")[2] }
	for name, row := range map[string]struct {
		content, salvaged string
		before, after     string
	}{
		"a missing comma":    {"a\n\n" + open + "[\n" + line("x") + "\n" + line("y") + "\n]\n" + end, "x y", "a\n\n", ""},
		"a missing colon":    {"a\n\n" + open + "[\n{\"id\": \"x\", \"title\" \"t\"}\n]\n" + end, "x", "a\n\n", ""},
		"an open quote":      {"a\n\n" + open + "[\n{\"id\": \"x\", \"title\": \"t}\n]\n" + end, "", "a\n\n", ""},
		"no comma in it":     {"a\n\n" + open + "[\n{\"id\": \"x\" \"title\": \"t\"}\n]\n" + end, "x", "a\n\n", ""},
		"prose inside":       {"a\n\n" + open + "[\nMy note.\n" + line("x") + "\n]\nMore.\n" + end + "z\n", "x", "a\n\nMy note.\nMore.\n\n", "z\n"},
		"prose on a line":    {"a\n\n" + open + "[\n" + line("x") + ", see\n]\n" + end, "x", "a\n\nsee\n\n", ""},
		"never closed":       {"a\n\n" + open + "[\n" + line("x") + "\n]\n\nAfter.\n", "x", "a\n\n", "\nAfter.\n"},
		"never opened":       {"a\n\n[\n" + line("x") + "\n]\n" + end + "After.\n", "x", "a\n\n", "After.\n"},
		"reversed":           {"a\n\n" + end + "[\n" + line("x") + "\n]\n" + open + "z\n", "", "a\n\n[\n" + line("x") + "\n]\n\n", "z\n"},
		"two blocks":         {"a\n\n" + block("x") + "mid\n\n" + block("y") + "z\n", "x y", "a\n\nmid\n\n", "z\n"},
		"conflict inside":    {"a\n\n" + open + "[\n<<<<<<< HEAD\n" + line("x") + "\n=======\n" + line("y") + "\n>>>>>>> b\n]\n" + end, "x y", "a\n\n", ""},
		"conflict around":    {"a\n<<<<<<< HEAD\n\n" + block("x") + "=======\n\n" + block("y") + ">>>>>>> b\n", "x y", "a\n\n", ""},
		"one side has it":    {"a\n<<<<<<< HEAD\n=======\n\n" + block("y") + ">>>>>>> b\n", "y", "a\n\n", ""},
		"conflict in prose":  {"<<<<<<< HEAD\na\n\n" + block("x") + "=======\nb\n\n" + block("y") + ">>>>>>> b\nz\n", "x y", "<<<<<<< HEAD\na\n\n=======\nb\n\n>>>>>>> b\n\n", "z\n"},
		"an object of no id": {"a\n\n" + open + "[\n{\"title\": \"t\"}\n" + line("x") + "\n]\n" + end, "x", "a\n\n", ""},
		"unknown keys":       {"a\n\n" + open + "[\n" + strings.Replace(line("x"), "}", `, "pin": 1}`, 1) + "\n" + line("y") + "\n]\n" + end, "x y", "a\n\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := pointer.Readable(row.content).Entries
			if ids(all) != row.salvaged {
				t.Errorf("salvaged %q, want %q", ids(all), row.salvaged)
			}
			got, err := pointer.SetSubMemories(row.content, []pointer.Entry{entry("x")})
			want := row.before + block("x") + row.after
			if name == "unknown keys" {
				want = strings.Replace(want, "}\n", `, "pin": 1}`+"\n", 1)
			}
			if err != nil || got != want {
				t.Errorf("got %q, %v\nwant %q", got, err, want)
			}
		})
	}
}

// TestRepairOfHiddenBlocks: what is damaged is repaired in the style of its markers, and a
// mixture becomes hidden.
func TestRepairOfHiddenBlocks(t *testing.T) {
	line := func(id string) string { return strings.Split(block(id), "\n")[2] }
	open, end := pointer.HiddenStart+"\n", pointer.HiddenEnd+"\n"
	hunk := func(ours, theirs string) string {
		return "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> b\n"
	}
	for name, row := range map[string]struct {
		content, salvaged string
		before, after     string
	}{
		"a missing comma":      {"a\n\n" + open + "[\n" + line("x") + "\n" + line("y") + "\n]\n" + end, "x y", "a\n\n", ""},
		"prose inside":         {"a\n\n" + open + "[\nMy note.\n" + line("x") + "\n]\nMore.\n" + end + "z\n", "x", "a\n\nMy note.\nMore.\n\n", "z\n"},
		"never closed":         {"a\n\n" + open + "[\n" + line("x") + "\n]\n\nAfter.\n", "x", "a\n\n", "\nAfter.\n"},
		"never opened":         {"a\n\n[\n" + line("x") + "\n]\n" + end + "After.\n", "x", "a\n\n", "After.\n"},
		"an entry ends it":     {"a\n\n" + open + "[\n" + line("x") + ",\n{\"id\": \"y\", \"title\": \"-->\"}\n]\n" + end + "z\n", "x y", "a\n\n", "z\n"},
		"closed as visible":    {"a\n\n" + open + "[\n" + line("x") + "\n]\n" + pointer.End + "\nz\n", "x", "a\n\n", "z\n"},
		"opened as visible":    {"a\n\n" + pointer.Start + "\n[\n" + line("x") + "\n]\n" + end + "z\n", "x", "a\n\n", "z\n"},
		"visible, then hidden": {"a\n\n" + block("x") + "mid\n\n" + hidden("y") + "z\n", "x y", "a\n\nmid\n\n", "z\n"},
		"hidden, then visible": {"a\n\n" + hidden("x") + "mid\n\n" + block("y") + "z\n", "x y", "a\n\nmid\n\n", "z\n"},
		"conflict inside":      {"a\n\n" + open + "[\n" + hunk(line("x")+"\n", line("y")+"\n") + "]\n" + end, "x y", "a\n\n", ""},
		"conflict around":      {"a\n\n" + hunk(block("x"), hidden("y")) + "z\n", "x y", "a\n\n", "z\n"},
		"conflict of styles":   {"a\n\n" + hunk(pointer.Start+"\n", open) + "[\n" + line("x") + "\n]\n" + hunk(pointer.End+"\n", end) + "z\n", "x", "a\n\n", "z\n"},
		"and the other way":    {"a\n\n" + hunk(open, pointer.Start+"\n") + "[\n" + line("x") + "\n]\n" + hunk(end, pointer.End+"\n") + "z\n", "x", "a\n\n", "z\n"},
		"and one of an entry":  {"a\n\n" + hunk(open, pointer.Start+"\n") + "[\n" + hunk(line("x")+"\n", line("y")+"\n") + "]\n" + hunk(end, pointer.End+"\n"), "x y", "a\n\n", ""},
		"styles and an entry":  {"a\n\n" + hunk(pointer.Start+"\n[\n"+line("x")+"\n", open+"[\n"+line("y")+"\n") + "]\n" + hunk(pointer.End+"\n", end), "x y", "a\n\n", ""},
		"and a text in a hunk": {"a\n\n" + hunk("One.\n\n"+pointer.Start+"\n", "Two.\n\n"+open) + "[\n" + line("x") + "\n]\n" + hunk(pointer.End+"\n", end), "x", "a\n\n<<<<<<< HEAD\nOne.\n\nTwo.\n\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := pointer.Readable(row.content).Entries
			if ids(all) != row.salvaged {
				t.Errorf("salvaged %q, want %q", ids(all), row.salvaged)
			}
			got, err := pointer.SetSubMemories(row.content, []pointer.Entry{entry("x")})
			if want := row.before + hidden("x") + row.after; err != nil || got != want {
				t.Errorf("got %q, %v\nwant %q", got, err, want)
			}
		})
	}
}

func TestRestyle(t *testing.T) {
	visible := "a\n\n" + strings.Replace(block("x", "y"), "When y", "a --> b --!> c", 1) + "after\n"
	made, err := pointer.Restyle(visible, true)
	want := "a\n\n" + strings.Replace(hidden("x", "y"), "When y", `a --\u003e b --!\u003e c`, 1) + "after\n"
	if err != nil || made != want {
		t.Errorf("got %q, %v\nwant %q", made, err, want)
	}
	if _, entries := mustParse(t, made); entries[1].Summary != "a --> b --!> c" {
		t.Errorf("got %+v", entries[1])
	}
	if got, err := pointer.SetSubMemory(made, pointer.Entry{ID: "x", Title: "-->"}); err != nil || strings.Count(got, "-->") != 1 {
		t.Errorf("an edit ends the comment: %q, %v", got, err)
	}
}

func TestABlockIsNeverHidden(t *testing.T) {
	for name, content := range map[string]string{
		"unclosed fence":   "# x\n```\n# y\n",
		"unclosed comment": "a\n\n<!-- never closed\n",
		"unclosed script":  "<script>\nlet x = 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := pointer.AppendSubMemory(content, entry("x")); !errors.Is(err, pointer.ErrHidden) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestEntryAsJSON(t *testing.T) {
	const raw = `{"id":"a","title":"T","summary":"<&>","z":[1, 2],"b":null}`
	var e pointer.Entry
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		t.Fatal(err)
	}
	if len(e.Extra) != 2 || e.Extra[0].Key != "z" || e.Extra[1].Key != "b" {
		t.Fatalf("extra: %+v", e.Extra)
	}
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var again pointer.Entry
	if err := json.Unmarshal(b, &again); err != nil || again.Summary != "<&>" || len(again.Extra) != 2 || again.Extra[0].Key != "z" {
		t.Errorf("%s: got %+v, %v", b, again, err)
	}
}
