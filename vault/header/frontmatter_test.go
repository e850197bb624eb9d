package header_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/header"
)

const (
	bom  = "\ufeff"
	full = "---\nid: pf-1\n# who\ntitle: \"Old\"   # note\nlabels: [a, b]\nweird:   {x: 1}\nlist:\n  - one   # first\n  - 'two'\n\nlast: >-\n  folded\n  text\n---\nBody.\n"
)

func TestSplit(t *testing.T) {
	for name, row := range map[string]struct {
		doc, header, body string
		found             bool
		line              int    // of the error; 0 for none
		err               string // part of it
	}{
		"none":                       {"text\n", "", "text\n", false, 0, ""},
		"empty":                      {"", "", "", false, 0, ""},
		"ordinary":                   {"---\na: b\n---\ntext\n", "a: b\n", "text\n", true, 0, ""},
		"nothing in it":              {"---\n---\ntext\n", "", "text\n", true, 0, ""},
		"only a comment":             {"---\n# c\n---\n", "# c\n", "", true, 0, ""},
		"no body, no newline":        {"---\na: b\n---", "a: b\n", "", true, 0, ""},
		"byte order mark":            {bom + "---\na: b\n---\ntext\n", "a: b\n", "text\n", true, 0, ""},
		"byte order mark, no header": {bom + "text", "", "text", false, 0, ""},
		"CRLF":                       {"---\r\na: b\r\n---\r\ntext\r\n", "a: b\r\n", "text\r\n", true, 0, ""},
		"closed by dots":             {"---\na: b\n...\ntext\n", "a: b\n", "text\n", true, 0, ""},
		"spaces after the fences":    {"--- \na: b\n---\t \ntext\n", "a: b\n", "text\n", true, 0, ""},
		"a rule further down":        {"---\na: 1\n---\nb: 2\n---\ntext\n", "a: 1\n", "b: 2\n---\ntext\n", true, 0, ""},
		"a thematic break first":     {"---\n\nA document.\n\n---\n", "", "---\n\nA document.\n\n---\n", false, 0, ""},
		"a break and no other":       {"---\nA document.\n", "", "---\nA document.\n", false, 0, ""},
		"a blank line before":        {"\n---\na: b\n---\n", "a: b\n", "", true, 0, ""},
		"four dashes":                {"----\na: b\n---\n", "", "----\na: b\n---\n", false, 0, ""},
		"TOML":                       {"+++\na = 1\n+++\n", "a = 1\n", "", true, 0, ""},
		"never closed":               {"---\ntitle: x\n\nbody\n", "", "---\ntitle: x\n\nbody\n", true, 1, "never closed"},
		"larger than 64 KiB":         {"---\na: b\n" + strings.Repeat("# c\n", 20_000) + "---\n", "", "---\na: b\n" + strings.Repeat("# c\n", 20_000) + "---\n", true, 1, "64 KiB"},
		"a scalar":                   {"---\njust text\n---\nbody", "just text\n", "body", true, 2, "must be keys"},
		"a list":                     {"---\n- a\n---\nbody", "- a\n", "body", true, 2, "must be keys"},
		"braces":                     {"---\n{a: 1}\n---\nbody", "{a: 1}\n", "body", true, 2, "braces"},
		"a repeated key":             {"---\na: 1\nb: 2\na: 3\n---\n", "a: 1\nb: 2\na: 3\n", "", true, 4, "stands twice"},
		"a tab":                      {"---\ntags:\n\t- a\n---\n", "tags:\n\t- a\n", "", true, 3, "not valid YAML"},
		"two colons":                 {"---\nx: 1\ntitle: a: b\n---\n", "x: 1\ntitle: a: b\n", "", true, 3, "not valid YAML"},
		"a tag":                      {"---\na: !!binary x\n---\n", "a: !!binary x\n", "", true, 2, "tags"},
		"an alias bomb":              {"---\na: &a [x]\nb: &b [*a, *a]\nc: [*b]\n---\n", "a: &a [x]\nb: &b [*a, *a]\nc: [*b]\n", "", true, 3, "nests"},
		"too deep":                   {"---\na: " + strings.Repeat("[", 20) + strings.Repeat("]", 20) + "\n---\n", "a: " + strings.Repeat("[", 20) + strings.Repeat("]", 20) + "\n", "", true, 2, "deep"},
		"too many keys":              {"---\n" + manyKeys(300) + "---\n", manyKeys(300), "", true, 258, "256 keys"},
		"an indented fence":          {"---\na: |\n  x\n  ---\n  y\n---\n", "a: |\n  x\n  ---\n  y\n", "", true, 1, "for other readers"},
		"a line separator":           {"---\na: x\u2028y\n---\n", "a: x\u2028y\n", "", true, 2, "line break"},
	} {
		t.Run(name, func(t *testing.T) {
			h, body := header.Split([]byte(row.doc))
			if h.Text() != row.header || string(body) != row.body || h.HasFrontMatter() != row.found {
				t.Errorf("got header %q, body %q, found %v", h.Text(), body, h.HasFrontMatter())
			}
			switch err := h.Err(); {
			case row.line == 0 && err != nil:
				t.Errorf("got %v", err)
			case row.line > 0 && (err == nil || err.Line != row.line || !strings.Contains(err.Msg, row.err)):
				t.Errorf("got %v, want %q at line %d", err, row.err, row.line)
			}
		})
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k" + string(rune('a'+i/26/26)) + string(rune('a'+i/26%26)) + string(rune('a'+i%26)) + ": v\n")
	}
	return b.String()
}

func TestGetAndList(t *testing.T) {
	h, _ := header.Split([]byte("---\n" +
		"plain: some words # note\nversion: 1.10\nyes: no\ndate: 2024-02-30\nempty:\nnothing: ~\ndouble: \"a \\\"b\\\" \\u00e9\"\nsingle: 'it''s'\n" +
		"flow: [a, 'b c', \"d\"]\nrows:\n- x\n- y # note\nwords: a, b ,, c\nnested: [[Note]]\nfolded: >-\n  one\n  two\nwiden: &w wide\nalias: *w\nタイトル: メモ\n\"quoted key\": 1\n---\n"))
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"plain": "some words", "version": "1.10", "yes": "no", "date": "2024-02-30", "double": `a "b" é`, "single": "it's",
		"folded": "one two", "alias": "wide", "タイトル": "メモ", "quoted key": "1",
	} {
		if got, ok := h.Get(key); !ok || got != want {
			t.Errorf("%s: got %q, %v, want %q", key, got, ok, want)
		}
	}
	for _, key := range []string{"empty", "nothing", "flow", "nested", "missing"} {
		if got, ok := h.Get(key); ok {
			t.Errorf("%s: got %q, want none", key, got)
		}
	}
	for key, want := range map[string]string{"flow": "a|b c|d", "rows": "x|y", "words": "a|b|c", "plain": "some words", "nested": "", "empty": "", "missing": ""} {
		if got := strings.Join(h.List(key), "|"); got != want {
			t.Errorf("%s: got list %q, want %q", key, got, want)
		}
	}
	if got := h.Line("version"); got != 3 {
		t.Errorf("line of version: got %d, want 3", got)
	}
}

func TestSet(t *testing.T) {
	for name, row := range map[string]struct{ doc, key, value, want string }{
		"in place":               {full, "title", "New", strings.Replace(full, `"Old"`, `"New"`, 1)},
		"what stands already":    {full, "title", "Old", full},
		"a new key":              {full, "status", "open", strings.Replace(full, "  text\n", "  text\nstatus: open\n", 1)},
		"a new id":               {"---\n# c\na: b\n---\nx", "id", "pf-1", "---\nid: pf-1\n# c\na: b\n---\nx"},
		"no header":              {"text\r\n", "id", "pf-1", "---\r\nid: pf-1\r\n---\r\ntext\r\n"},
		"no header, BOM":         {bom + "text", "id", "pf-1", bom + "---\nid: pf-1\n---\ntext"},
		"no text at all":         {"", "id", "pf-1", "---\nid: pf-1\n---\n"},
		"a thematic break first": {"---\n\nA\n\n---\n", "id", "pf-1", "---\nid: pf-1\n---\n---\n\nA\n\n---\n"},
		"a null":                 {"---\na:\nb: ~ # c\n---\n", "a", "x", "---\na: x\nb: ~ # c\n---\n"},
		"a null with a comment":  {"---\na:  # c\n---\n", "a", "x", "---\na: x  # c\n---\n"},
		"a tilde":                {"---\na: ~ # c\n---\n", "a", "x", "---\na: x # c\n---\n"},
		"a folded text":          {full, "last", "short", strings.Replace(full, ">-\n  folded\n  text", "short", 1)},
		"a list to a scalar":     {full, "list", "x", strings.Replace(full, "list:\n  - one   # first\n  - 'two'\n", "list: x\n", 1)},
		"single quotes stay":     {"---\na: 'x'\n---\n", "a", "it's", "---\na: 'it''s'\n---\n"},
		"escapes, then comment":  {"---\na: \"x\\n\" # c\n---\n", "a", "z", "---\na: z # c\n---\n"},
		"a quoted key":           {"---\n\"k\": |\n  x\nb: 1\n---\n", "k", "z", "---\n\"k\": z\nb: 1\n---\n"},
		"CRLF":                   {"---\r\na: x\r\nb: |\r\n  y\r\n---\r\n", "b", "z", "---\r\na: x\r\nb: z\r\n---\r\n"},
		"indented keys":          {"---\n  a: x\n---\n", "b", "z", "---\n  a: x\n  b: z\n---\n"},
		"needs quotes":           {"---\na: x\n---\n", "a", "b: c # d", "---\na: \"b: c # d\"\n---\n"},
		"several lines":          {"---\na: x\n---\n", "a", "b\nc", "---\na: \"b\\nc\"\n---\n"},
		"a number":               {"---\na: x\n---\n", "a", "1.10", "---\na: \"1.10\"\n---\n"},
		"a word for false":       {"---\na: x\n---\n", "a", "no", "---\na: \"no\"\n---\n"},
		"a time":                 {"---\na: x\n---\n", "a", "2026-02-07T15:30:00Z", "---\na: 2026-02-07T15:30:00Z\n---\n"},
		"a question":             {"---\na: x\n---\n", "a", "why? because, [it] is", "---\na: why? because, [it] is\n---\n"},
		"comments after a block": {"---\na: |\n  x\n  # in\n# out\nb: 1\n---\n", "a", "z", "---\na: z\n# out\nb: 1\n---\n"},
		"an emoji":               {"---\na: x\n---\n", "a", "🚚 移行", "---\na: 🚚 移行\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := header.Set([]byte(row.doc), row.key, row.value)
			if diff := cmp.Diff(row.want, string(got)); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestSetList(t *testing.T) {
	for name, row := range map[string]struct {
		doc, key string
		items    []string
		want     string
	}{
		"flow":             {full, "labels", []string{"b", "c, d"}, strings.Replace(full, "[a, b]", `[b, "c, d"]`, 1)},
		"rows, one more":   {full, "list", []string{"one", "two", "three"}, strings.Replace(full, "  - 'two'\n", "  - 'two'\n  - three\n", 1)},
		"rows, one less":   {full, "list", []string{"two"}, strings.Replace(full, "  - one   # first\n", "", 1)},
		"rows, reordered":  {full, "list", []string{"two", "one"}, strings.Replace(full, "  - one   # first\n  - 'two'\n", "  - two\n  - one\n", 1)},
		"rows, none":       {full, "list", nil, strings.Replace(full, "list:\n  - one   # first\n  - 'two'\n", "list: []\n", 1)},
		"what stands":      {full, "list", []string{"one", "two"}, full},
		"new":              {"---\na: b\n---\n", "labels", []string{"x", "z"}, "---\na: b\nlabels: [x, z]\n---\n"},
		"new and empty":    {"---\na: b\n---\n", "labels", nil, "---\na: b\n---\n"},
		"words to a list":  {"---\nlabels: a, b # c\n---\n", "labels", []string{"a", "b", "d"}, "---\nlabels: [a, b, d] # c\n---\n"},
		"rows at the left": {"---\nlabels:\n- a\n# note\n- b\nc: 1\n---\n", "labels", []string{"a", "b", "x"}, "---\nlabels:\n- a\n# note\n- b\n- x\nc: 1\n---\n"},
		"remarks between":  {"---\nlabels:\n  - a\n  # note\n  - b\nc: 1\n---\n", "labels", []string{"a", "b", "x"}, "---\nlabels:\n  - a\n  # note\n  - b\n  - x\nc: 1\n---\n"},
		"grown in place":   {"---\nlabels: [ 2024, 'b, c' , ~ ] # d\n---\n", "labels", []string{"2024", "b, c", "x]"}, "---\nlabels: [ 2024, 'b, c' , ~, \"x]\" ] # d\n---\n"},
		"grown over lines": {"---\r\nlabels: [a, # one\r\n  b,\r\n]\r\nc: 1\r\n---\r\n", "labels", []string{"a", "b", "x"}, "---\r\nlabels: [a, # one\r\n  b, x\r\n]\r\nc: 1\r\n---\r\n"},
		"grown from none":  {"---\nlabels: [ ]\n---\n", "labels", []string{"x", "z"}, "---\nlabels: [x, z ]\n---\n"},
		"over lines":       {"---\nlabels: [a,\n  b]\nc: 1\n---\n", "labels", []string{"a"}, "---\nlabels: [a]\nc: 1\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := header.SetList([]byte(row.doc), row.key, row.items)
			if diff := cmp.Diff(row.want, string(got)); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestRename(t *testing.T) {
	for in, want := range map[string]string{
		"k: [a, b] # a":                    "k: [a, c/d.md] # a",
		"k: [b , \"b\", 'b',bb, a b]":      "k: [c/d.md , \"c/d.md\", 'c/d.md',bb, a b]",
		"k: b":                             "k: c/d.md",
		"k: a, b # b":                      "k: a, c/d.md # b",
		"b: b\nk:\n  - b # b\n\n  - 'x'\n": "b: b\nk:\n  - c/d.md # b\n\n  - 'x'\n",
		"k:\n- \"\\x62\"\n- 'x'\n":         "k: [c/d.md, x]\n",
		"k: [swap, b, paws]":               "k: [paws, c/d.md, swap]",
		"k: [odd]":                         "k: [\"o: #d\"]",
		"k: [never]":                       "k: [never]",
		"other: b":                         "other: b",
	} {
		to := map[string]string{"b": "c/d.md", "swap": "paws", "paws": "swap", "odd": "o: #d"}
		in, want = "---\n"+in+"\n---\nb\n", "---\n"+want+"\n---\nb\n"
		if got, err := header.Rename([]byte(in), "k", to); string(got) != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", in, got, err, want)
		}
	}
	if _, err := header.Rename([]byte("---\nk: {b: b}\nl: b\n---\n"), "k", map[string]string{"b": "c"}); err != nil {
		t.Error(err)
	}
}

func TestDrop(t *testing.T) {
	for name, row := range map[string]struct{ doc, key, want string }{
		"a line":        {full, "title", strings.Replace(full, "title: \"Old\"   # note\n", "", 1)},
		"a list":        {full, "list", strings.Replace(full, "list:\n  - one   # first\n  - 'two'\n", "", 1)},
		"a folded text": {full, "last", strings.Replace(full, "last: >-\n  folded\n  text\n", "", 1)},
		"the only key":  {"---\na: b\n---\nx", "a", "---\n---\nx"},
		"no such key":   {full, "nope", full},
		"no header":     {"text", "a", "text"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := header.DropLines([]byte(row.doc), row.key)
			if diff := cmp.Diff(row.want, string(got)); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestEditsThatAreRefused(t *testing.T) {
	for name, row := range map[string]struct {
		doc, key string
		line     int
	}{
		"never closed":             {"---\ntitle: x\n\nbody\n", "title", 1},
		"broken elsewhere":         {"---\ntitle: x\na: b: c\n---\n", "title", 3},
		"repeated elsewhere":       {"---\ntitle: x\na: 1\na: 2\n---\n", "title", 4},
		"braces":                   {"---\n{title: x}\n---\n", "title", 2},
		"an anchor others need":    {"---\ntitle: &t x\nother: *t\n---\n", "title", 2},
		"a key of several lines":   {"---\n? title\n: x\n---\n", "title", 2},
		"a mapping":                {"---\ntitle: {a: b}\n---\n", "title", 2},
		"a list of more":           {"---\nx: y\ntitle:\n  - a\n  - b: c\n---\n", "title", 3},
		"remarks over lines":       {"---\ntitle: [a, # one\n  b]\n---\n", "title", 2},
		"an indented fence inside": {"---\ntitle: x\na: |\n  y\n  ---\n---\n", "title", 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := header.Set([]byte(row.doc), row.key, "new")
			var e *header.Error
			if !errors.As(err, &e) || e.Line != row.line {
				t.Errorf("got %q, %v; want an error at line %d", got, err, row.line)
			}
		})
	}
	if _, err := header.Set([]byte("x"), "a: b\nc", "v"); err == nil {
		t.Error("a key that is none was taken")
	}
	if _, err := header.Set([]byte("x"), "a", "\xff"); err == nil {
		t.Error("a value that is not UTF-8 was taken")
	}
}
