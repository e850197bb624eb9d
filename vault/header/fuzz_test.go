package header

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var headers = []string{
	"id: pf-1\ntitle: Some title\nlabels: [a, 'b c', \"d\"]\ncreated: 2026-02-07T15:30:00Z\n",
	"labels:\n  - a\n  - 'b'\n# note\n  - c d # x\ntitle: t # comment\nempty:\n\n", "a: ~\nb: null\nc: 1.10\nd: 0x1F\ne: yes\n",
	"title: \"a \\\" b\"  # c\nd: |\n  text\n  # not a comment\n\n# comment\ne: >-\n  folded\n   more\n",
	"a:\n  b:\n    - c\n  # inner\nd: {x: 1}\ne: [a,\n  b]\nf: 'it''s\n  long'\n", "\"quoted: key\": 1\n? complex\n: v\n",
	"a: &x [1]\nb: *x\n", "{a: 1}\n", "- a\n- b\n", "just text\n", "a: 1\na: 2\n", "a: b: c\n", "tags:\n\t- a\n", "a: [[x]]\n", "  a: 1\n  b: 2\n",
	"a: |+\n  x\n\n\nb: \"x\n  # y\n  z\"\n", "a: !!str x\n", "タイトル: メモ\n🏷: [a]\n", "a: x\n--- y\nb: z\n", "a: -1\nb: .5\nc: +3\nd: a:b\ne: a#b\n",
	"a: [x, null]\nb:\n- 1\n- two\nc: x y  \n", "a: \"x\" #\nb: 'y'#z\n", "a:\n  ---\nb: 1\n",
}

// FuzzFlat: what the quick reader accepts the library reads alike.
// Faults S7, H14.
func FuzzFlat(f *testing.F) {
	for _, h := range headers {
		f.Add(h)
		f.Add(strings.ReplaceAll(h, "\n", "\r\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		got, ok := flat(text)
		if !ok || strings.Contains(text, "\n---") || strings.Contains(text, "\n...") || strings.HasPrefix(text, "...") || strings.HasPrefix(text, "---") {
			return
		}
		want, err := library(text)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: flat %+v, library %+v, %v", text, got, want, err)
		}
		for i, g := range got {
			if w := want[i]; !g.same(w) || g.line != w.line || g.lines != w.lines || g.val != w.val || g.simple != w.simple || !slices.Equal(g.rows, w.rows) {
				t.Fatalf("%q: flat %+v\nlibrary %+v", text, g, w)
			}
		}
	})
}

// FuzzSet: whatever the document, setting a key makes it read so and leaves
// every byte outside that key's lines alone; doing it again changes nothing.
func FuzzSet(f *testing.F) {
	for _, h := range headers {
		for _, key := range []string{"a", "title", "new", "id"} {
			f.Add([]byte("---\n"+h+"---\nbody\n---\n"), key, "new: \"value\" # x")
		}
		f.Add([]byte(bom+"--- \r\n"+strings.ReplaceAll(h, "\n", "\r\n")+"...\r\nbody"), "d", "1.10")
	}
	f.Add([]byte("no header"), "id", "pf-1")
	f.Add([]byte("---\n\ntext\n\n---\n"), "id", "pf-1")
	f.Fuzz(func(t *testing.T, doc []byte, key, value string) {
		if key == "" || keyLen(key+":") != len(key) {
			return
		}
		before, body := Split(doc)
		got, err := Set(doc, key, value)
		if err != nil {
			if before.Err() == nil && before.field(key) == nil && utf8.ValidString(value) {
				t.Fatalf("%q: cannot add %s: %v", doc, key, err)
			}
			return
		}
		after, rest := Split(got)
		if v, ok := after.Get(key); !ok || v != value || after.Err() != nil {
			t.Fatalf("%q\n%q: got %q, %v, %v", doc, got, v, ok, after.Err())
		}
		if !bytes.Equal(rest, body) {
			t.Fatalf("body changed: %q\n%q", doc, got)
		}
		onlyKey(t, doc, got, before, after, key)
		if again, err := Set(got, key, value); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("not idempotent: %q\n%q, %v", got, again, err)
		}
		if before.HasFrontMatter() && before.field(key) == nil {
			if back, err := DropLines(got, key); err != nil || !bytes.Equal(back, doc) {
				t.Fatalf("drop does not undo: %q\n%q, %v", doc, back, err)
			}
		}
	})
}

// pieces are the lines headers of the fuzzer are put together from.
var pieces = []string{
	"a: x\n", "b: \"y\" # c\n", "c:\n", "  - one\n", "  - 'two' # c\n", "- three\n", "d: [a, 'b']\n", "# comment\n", "  # inner\n", "\n", "e: |\n", "f: >-\n",
	"  text\n", "   deeper: text\n", "g: {x: 1,\n", "  y: 2}\n", "h: 'open\n", "  close'\n", "\"quoted\": 1\n", "? k\n", ": v\n", "i: &n v\n", "j: *n\n", "  k: nested\n",
	"l: x # y\n", "m: \"a\\\"b\" # c\n", "a: again\n", "n: a: b\n", "o: ~\r\n", "p: x\r\n", "\tq: x\n", "r: !!str x\n", "  ---\n", "s: x  \n", "t: |+\n", "\u00e9: x\n",
}

// FuzzPieces: setting, listing and dropping each key of a header made of pieces
// changes the lines of that key alone.
func FuzzPieces(f *testing.F) {
	f.Add([]byte{0, 2, 3, 4, 8, 9, 10, 12, 8, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var b strings.Builder
		for _, c := range data[:min(len(data), 30)] {
			b.WriteString(pieces[int(c)%len(pieces)])
		}
		doc := []byte("---\n" + b.String() + "---\nbody\n")
		before, _ := Split(doc)
		for _, key := range append(before.Keys(), "new", "id") {
			edited(t, doc, before, key, func() ([]byte, error) { return Set(doc, key, "a: \"b\"") })
			edited(t, doc, before, key, func() ([]byte, error) { return SetList(doc, key, []string{"two", "x, y"}) })
			edited(t, doc, before, key, func() ([]byte, error) { return DropLines(doc, key) })
		}
	})
}

// edited checks one edit of a key.
func edited(t *testing.T, doc []byte, before *Header, key string, edit func() ([]byte, error)) {
	t.Helper()
	got, err := edit()
	if err != nil {
		return
	}
	after, rest := Split(got)
	if after.Err() != nil || string(rest) != "body\n" && before.HasFrontMatter() {
		t.Fatalf("%q\n%q: %v", doc, got, after.Err())
	}
	onlyKey(t, doc, got, before, after, key)
}

// FuzzSetList is FuzzSet for lists.
func FuzzSetList(f *testing.F) {
	for _, h := range headers {
		f.Add([]byte("---\n"+h+"---\nbody\n"), "labels", "a\nnew, one\nc d")
		f.Add([]byte("---\r\n"+strings.ReplaceAll(h, "\n", "\r\n")+"---\r\n"), "a", "x")
	}
	f.Add([]byte("---\nlabels: [a, '']\n---\n"), "labels", "a\nx") // an empty item, taken away
	f.Fuzz(func(t *testing.T, doc []byte, key, joined string) {
		if key == "" || keyLen(key+":") != len(key) || joined == "" {
			return
		}
		items := strings.Split(joined, "\n")
		before, body := Split(doc)
		got, err := SetList(doc, key, items)
		if err != nil {
			return
		}
		after, rest := Split(got)
		if fld := after.field(key); fld == nil || fld.kind != list || !slices.Equal(fld.items, items) || after.Err() != nil || !bytes.Equal(rest, body) {
			t.Fatalf("%q\n%q: got %+v, %v", doc, got, fld, after.Err())
		}
		onlyKey(t, doc, got, before, after, key)
		if again, err := SetList(got, key, items); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("not idempotent: %q\n%q, %v", got, again, err)
		}
	})
}

// onlyKey fails if the documents differ outside the lines of one key.
func onlyKey(t *testing.T, doc, got []byte, before, after *Header, key string) {
	t.Helper()
	if !before.HasFrontMatter() {
		if !bytes.HasSuffix(got, doc[before.start:]) {
			t.Fatalf("text changed: %q\n%q", doc, got)
		}
		return
	}
	if a, b := without(doc, before, key), without(got, after, key); a != b {
		t.Fatalf("other lines changed:\n%q\n%q", a, b)
	}
}

// without returns the document less the lines of the key.
func without(doc []byte, h *Header, key string) string {
	f := h.field(key)
	if f == nil {
		return string(doc)
	}
	return string(doc[:h.start+f.lines.start]) + string(doc[h.start+f.lines.end:])
}

// FuzzDrop: dropping a key leaves every other byte.
func FuzzDrop(f *testing.F) {
	for _, h := range headers {
		f.Add([]byte("---\n"+h+"---\nbody\n"), "a")
	}
	f.Fuzz(func(t *testing.T, doc []byte, key string) {
		before, _ := Split(doc)
		got, err := DropLines(doc, key)
		if err != nil {
			return
		}
		if want := without(doc, before, key); string(got) != want {
			t.Fatalf("got %q\nwant %q", got, want)
		}
		if after, _ := Split(got); after.Err() != nil || after.field(key) != nil {
			t.Fatalf("%q: %v", got, after.Err())
		}
	})
}

// FuzzFormat: every value reads back as the same string, in both places.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"", "a", "1.10", "yes", "12:30", "2026-02-07", "a: b", "a #b", "- a", "'x'", "\"", "\\", "a\nb", "\u2028", "\ufeff", "null", "...", "--- a", "0o17", "1e3", "0b1", "1_000", ".inf", "<<", "=", "a,b", "[x]", "e: ", "\x00", "é", "🎉", "+", "-", "?", ": "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) {
			return
		}
		for _, like := range []string{"", `"`, "'"} {
			root, err := document("k: " + format(s, like, false) + "\nl: " + flowList([]string{s, s}) + "\nm:\n  - " + format(s, like, false) + "\n")
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			l := root.Content[3].Content
			if len(l) != 2 {
				t.Fatalf("%q: list %d", s, len(l))
			}
			for _, v := range append(l, root.Content[1], root.Content[5].Content[0]) {
				if v.Value != s || v.Tag != "!!str" && v.Tag != "!!timestamp" {
					t.Fatalf("%q reads as %q %s", s, v.Value, v.Tag)
				}
			}
		}
	})
}

// FuzzEndsEarly: where the quick look finds no early end, the library finds none.
func FuzzEndsEarly(f *testing.F) {
	for _, h := range append(headers, " ---\n", "a: |\n  ---\t\nb: 1\n", "a: |\n  ...\n", "a: ---\n", "\u00a0---\v\n") {
		f.Add(h, "---", "body\n")
		f.Add(strings.ReplaceAll(h, "\n", "\r\n"), "... ", "")
	}
	f.Fuzz(func(t *testing.T, text, closing, body string) {
		doc := []byte("---\n" + text + closing + "\n" + body)
		h, _ := Split(doc)
		stop, mark := closingFence(doc, len("---\n"))
		if mark == "" || endsEarly(string(doc[len("---\n"):stop]), mark) || !h.found {
			return
		}
		asked := &Header{text: h.text, found: true}
		if asked.agree(doc, stop, mark); asked.err != nil {
			t.Fatalf("%q: %v", doc, asked.err)
		}
	})
}
