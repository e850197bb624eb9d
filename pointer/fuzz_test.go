package pointer_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
	"github.com/google/go-cmp/cmp"
)

// seeds are contents that reach every branch of the reader.
var seeds = []string{
	"a\n\n<!-- sub-memories [{\"id\":\"x\"}] /sub-memories --> \nafter\n", "<!-- sub-memories [] /sub-memories -->", "<!-- sub-memories [{\"id\":\"x\", \"z\":\"-->\"}, ] /sub-memories -->\n\n<!-- sub-memories -->[]<!-- /sub-memories -->\r\n",
	"", "a", "a\r\n\r\n", "a\n\n" + block("x", "y"), "a\n" + block("x") + "after",
	"```\n" + block("x") + "```\n" + block("y"), "<div>\n" + block("x"),
	"<!-- sub-memories -->\n[{\"id\":\"a\",\"k\":[1]},{\"id\":\"b\"}]\n<!-- /sub-memories -->",
	"<!-- sub-memories -->\n[\n<<<<<<< H\n{\"id\":\"a\"}\n=======\n{\"id\":\"b\"}\n>>>>>>> x\n]\n<!-- /sub-memories -->\n",
	"<!-- /sub-memories -->\n]\n<!-- sub-memories -->\n[", "<<<<<<< H\n" + block("x") + "=======\n" + block("y") + ">>>>>>> t\n",
	"a\n<!-- sub-memories -->[{\"id\":\"x\"}]<!-- /sub-memories -->\n", "<!-- sub-memories --> [] <!-- /sub-memories -->\r\nb",
	hidden("x", "y"), "a\n\n" + hidden("x") + "after\n", "a\r\n\r\n" + strings.ReplaceAll(hidden("x"), "\n", "\r\n"), pointer.HiddenStart + "\n[{\"id\": \"x\", \"k\": \"-->\"}]\n" + pointer.HiddenEnd,
	"<<<<<<< H\n" + pointer.Start + "\n=======\n" + pointer.HiddenStart + "\n>>>>>>> t\n[]\n<<<<<<< H\n" + pointer.End + "\n=======\n" + pointer.HiddenEnd + "\n>>>>>>> t\n", "[]\n" + pointer.HiddenEnd,
	"<!-- sub-memories -->\n[\nprose\n{\"id\": \"a\" \"title\": \"t\"}, more\n", "- a\n  <!-- sub-memories -->\n",
}

// pieces are the lines documents of the fuzzer are put together from: mutated
// bytes alone seldom make a marker.
var pieces = []string{
	pointer.Start + "\n", pointer.End + "\n", "[\n", "]\n", "[]\n", `  {"id": "x", "title": "X", "summary": "S"},` + "\n",
	`  {"id": "y", "k": [1, {"a": "b"}]}` + "\n", `{"id":"x"}{"id":"z"}` + "\n", `  {"id": "x" "title": "T"},` + "\n", "  {\n", `  "id": "w",` + "\n", "  },\n",
	"<<<<<<< HEAD\n", "=======\n", "||||||| base\n", ">>>>>>> other\n", "```\n", "~~~\n", "prose\n", "more prose, with words\n", "\n", "  indented\n", "- item\n",
	"> quote\n", "<div>\n", "</div>\n", "<!-- open\n", "-->\n", "# Heading\n", "    code\n", pointer.Start + "\r\n", pointer.End + "\r\n", "text\r\n", "\r\n", "no newline",
	pointer.HiddenStart + "\n", pointer.HiddenEnd + "\n", pointer.HiddenStart + "\r\n", pointer.HiddenEnd + "\r\n", `  {"id": "v", "k": "-->"},` + "\n", pointer.HiddenStart + " more\n",
	"  " + pointer.Start + "\n", "a " + pointer.Start + "\n", " ]\n",
}

// compose returns the document that data selects from the pieces.
func compose(data []byte) string {
	var b strings.Builder
	for _, c := range data[:min(len(data), 40)] {
		b.WriteString(pieces[int(c)%len(pieces)])
	}
	return b.String()
}

// FuzzPieces: the properties of the other fuzzers on documents made of pieces.
func FuzzPieces(f *testing.F) {
	f.Add([]byte{18, 20, 0, 2, 5, 6, 3, 1, 19})
	f.Add([]byte{12, 18, 0, 2, 5, 3, 1, 13, 0, 2, 6, 3, 1, 15})
	f.Add([]byte{18, 20, 35, 2, 5, 6, 3, 36, 19})
	f.Add([]byte{12, 0, 13, 35, 15, 2, 5, 3, 12, 1, 13, 36, 15})
	f.Fuzz(func(t *testing.T, data []byte) {
		content := compose(data)
		appendRemove(t, content, pointer.Entry{ID: "pf-new", Title: "-->", Summary: "<"})
		repair(t, content)
		restyle(t, content)
	})
}

// FuzzAppendRemove: appending a new entry and removing it restores every byte;
// in between the entry is there and the others are as they were.
func FuzzAppendRemove(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "T", "-->\n\u2028<!-- /sub-memories -->")
	}
	f.Fuzz(func(t *testing.T, content, title, summary string) {
		appendRemove(t, content, pointer.Entry{ID: "pf-new", Title: title, Summary: summary})
	})
}

func appendRemove(t *testing.T, content string, e pointer.Entry) {
	before, err := pointer.FindBlock(content)
	if err != nil || before != nil && (len(before.Entries) == 0 || strings.Contains(content, "pf-new")) {
		return
	}
	with, err := pointer.AppendSubMemory(content, e)
	if err != nil {
		return
	}
	after, err := pointer.FindBlock(with)
	if err != nil || len(after.Entries) == 0 || !cmp.Equal(after.Entries[len(after.Entries)-1], e) {
		t.Fatalf("appended to %q\n%q\n%+v, %v", content, with, after, err)
	}
	if before != nil && !cmp.Equal(before.Entries, after.Entries[:len(after.Entries)-1]) {
		t.Fatalf("others changed: %+v\n%+v", before.Entries, after.Entries)
	}
	if without, err := pointer.RemoveSubMemory(with, e.ID); err != nil || without != content {
		t.Fatalf("got %q, %v\nwant %q\nwith %q", without, err, content, with)
	}
}

// FuzzEdit: an edit of one entry changes nothing outside the block and no other entry's text.
func FuzzEdit(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "T", "S", 0)
	}
	f.Fuzz(func(t *testing.T, content, title, summary string, n int) {
		b, err := pointer.FindBlock(content)
		if err != nil || b == nil || len(b.Entries) == 0 || !utf8.ValidString(title) || !utf8.ValidString(summary) || !utf8.ValidString(content) {
			return
		}
		e := b.Entries[uint(n)%uint(len(b.Entries))]
		e.Title, e.Summary = title, summary
		got, err := pointer.SetSubMemory(content, e)
		if err != nil {
			t.Fatal(err)
		}
		b2, err := pointer.FindBlock(got)
		if err != nil || got[:b2.Start] != content[:b.Start] || got[b2.End:] != content[b.End:] {
			t.Fatalf("%q\n%q: %v", content, got, err)
		}
		want := append([]pointer.Entry(nil), b.Entries...)
		want[uint(n)%uint(len(b.Entries))] = e
		if !cmp.Equal(b2.Entries, want) || len(b2.Repeated) != len(b.Repeated) {
			t.Fatalf("got %+v, want %+v", b2.Entries, want)
		}
		if again, err := pointer.SetSubMemory(got, e); err != nil || again != got {
			t.Fatalf("not idempotent: %q, %v", again, err)
		}
	})
}

// FuzzRepair: whatever the damage, one healthy block with the entries comes out
// and every word of the prose is still there; repairing again changes nothing.
func FuzzRepair(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(repair)
}

func repair(t *testing.T, content string) {
	entries := []pointer.Entry{{ID: "x", Title: "X"}, {ID: "q", Summary: "Q"}}
	got, err := pointer.SetSubMemories(content, entries)
	if err != nil {
		return
	}
	b, err := pointer.FindBlock(got)
	if err != nil || len(b.Entries) != 2 || b.Entries[0].ID != "x" || b.Entries[1].ID != "q" {
		t.Fatalf("%q\n%q: %+v, %v", content, got, b, err)
	}
	if again, err := pointer.SetSubMemories(got, entries); err != nil || again != got {
		t.Fatalf("not stable: %q\n%q, %v", got, again, err)
	}
	missing(t, content, got+pointer.Readable(content).Lost)
}

// FuzzRestyle: a block keeps its entries in either style, and so does all around it.
func FuzzRestyle(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(restyle)
}

// meant returns entries with the values of unknown keys in one spelling: a hidden block writes
// "-->" with an escape, since it would end the comment.
func meant(entries []pointer.Entry) []pointer.Entry {
	entries = slices.Clone(entries)
	for i, e := range entries {
		extra := slices.Clone(e.Extra)
		for j, f := range extra {
			var value any
			if json.Unmarshal(f.Value, &value) == nil {
				extra[j].Value, _ = json.Marshal(value)
			}
		}
		entries[i].Extra = extra
	}
	return entries
}

func restyle(t *testing.T, content string) {
	before, err := pointer.FindBlock(content)
	for _, hidden := range []bool{!(before != nil && before.Hidden), before != nil && before.Hidden} {
		got, errNow := pointer.Restyle(content, hidden)
		if (err == nil) != (errNow == nil) || (err != nil || before == nil) && got != content {
			t.Fatalf("%q, %v: got %q, %v", content, err, got, errNow)
		}
		if err != nil || before == nil {
			return
		}
		after, err := pointer.FindBlock(got)
		if err != nil || after.Hidden != hidden || !cmp.Equal(meant(before.Entries), meant(after.Entries)) || !cmp.Equal(meant(before.Repeated), meant(after.Repeated)) {
			t.Fatalf("%q\n%q: %+v, %v", content, got, after, err)
		}
		if got[:after.Start] != content[:before.Start] || got[after.End:] != content[before.End:] || after.Without(got) != before.Without(content) {
			t.Fatalf("the text around changed: %q\n%q", content, got)
		}
		if again, err := pointer.Restyle(got, hidden); err != nil || again != got {
			t.Fatalf("not stable: %q\n%q, %v", got, again, err)
		}
		content, before = got, after
	}
}

// missing fails if a line of prose is gone. What may go: markers, conflict
// markers, and lines that look like a part of an array; got ends with what is told as lost.
func missing(t *testing.T, content, got string) {
	t.Helper()
	for line := range strings.Lines(content) {
		line = strings.Trim(line, " \t\r\n,")
		if strings.ContainsAny(line, `{}[]":`) || strings.Contains(line, "sub-memories") || len(line) > 6 && strings.Contains("<<<<<<<|||||||=======>>>>>>>", line[:7]) {
			continue
		}
		if !strings.Contains(got, line) {
			t.Fatalf("%q is gone from %q:\n%q", line, content, got)
		}
	}
}

// FuzzParse: no input panics; the readers agree.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		main, entries, err := pointer.ParseSubMemories(content)
		if !strings.HasPrefix(content, main) || err != nil && entries != nil {
			t.Fatalf("got %q, %+v, %v", main, entries, err)
		}
		pointer.Readable(content)
	})
}
