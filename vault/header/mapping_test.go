package header_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault/header"
)

func TestTexts(t *testing.T) {
	for head, want := range map[string][]string{
		"decisions: [a, \"b, c\"]\n":                     {"a", "b, c"},
		"decisions: one, and not two\n":                  {"one, and not two"},
		"decisions: |\n  two\n  lines\n":                 {"two\nlines"},
		"decisions:\n  - |\n    two\n    lines\n  - x\n": {"two\nlines", "x"},
		"decisions:\n":                                   nil,
		"decisions: {a: b}\n":                            nil,
		"decisions:\n  - a: b\n":                         nil,
		"title: x\n":                                     nil,
		"decisions: ['', ' a ', null]\n":                 {"a"},
	} {
		h, _ := header.Split([]byte("---\n" + head + "---\n"))
		if got := h.Texts("decisions"); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

func TestSetTexts(t *testing.T) {
	for name, row := range map[string]struct {
		was   string
		items []string
		want  string
	}{
		"no header":           {"Text.\n", []string{"a, b"}, "---\ndecisions:\n  - a, b\n---\nText.\n"},
		"several lines":       {"---\ntitle: x\n---\n", []string{"a\nb", "c: d"}, "---\ntitle: x\ndecisions:\n  - \"a\\nb\"\n  - \"c: d\"\n---\n"},
		"one more":            {"---\ndecisions:\n- a # why\n- b\n---\n", []string{"a", "b", "c"}, "---\ndecisions:\n- a # why\n- b\n- c\n---\n"},
		"one less":            {"---\ndecisions:\n  - a\n  - b # why\n---\n", []string{"b"}, "---\ndecisions:\n  - b # why\n---\n"},
		"none":                {"---\ndecisions:\n  - a\nx: y\n---\n", nil, "---\nx: y\n---\n"},
		"of a scalar":         {"---\ndecisions: a, b # c\n---\n", []string{"a, b", "d"}, "---\ndecisions: # c\n  - a, b\n  - d\n---\n"},
		"of one in brackets":  {"---\ndecisions: [a]\nx: y\n---\n", []string{"a", "b"}, "---\ndecisions:\n  - a\n  - b\nx: y\n---\n"},
		"the same":            {"---\ndecisions:   [ a ]\n---\n", []string{"a"}, "---\ndecisions:   [ a ]\n---\n"},
		"of nothing":          {"---\ndecisions:\nx: y\n---\n", []string{"a"}, "---\ndecisions:\n  - a\nx: y\n---\n"},
		"CRLF":                {"---\r\nx: y\r\n---\r\n", []string{"a"}, "---\r\nx: y\r\ndecisions:\r\n  - a\r\n---\r\n"},
		"a header without LF": {"---\nx: y\n---", []string{"a"}, "---\nx: y\ndecisions:\n  - a\n---"},
	} {
		got, err := header.SetTexts([]byte(row.was), "decisions", row.items)
		if err != nil || string(got) != row.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, row.want)
		}
	}
}

func TestSetTextsRefuses(t *testing.T) {
	for _, doc := range []string{
		"---\ndecisions: {a: b}\n---\n", "---\ndecisions:\n  - a: b\n---\n", "---\ndecisions: [a, # why\n  b]\n---\n", "---\na: b: c\n---\n",
	} {
		if got, err := header.SetTexts([]byte(doc), "decisions", []string{"x"}); err == nil {
			t.Errorf("%q became %q", doc, got)
		}
	}
	if _, err := header.SetTexts(nil, "decisions", []string{"\xff"}); err == nil {
		t.Error("took what is not UTF-8")
	}
}

func TestMap(t *testing.T) {
	for head, want := range map[string]string{
		"metadata: {b: 1, a: x}\n":                                `{"a":"x","b":1}`,
		"metadata:\n  n: 1.5\n  t: true\n  z:\n  d: 2026-01-02\n": `{"d":"2026-01-02","n":1.5,"t":true,"z":null}`,
		"metadata:\n  l: [1, <b>]\n  m:\n    k: v\n":              `{"l":[1,"<b>"],"m":{"k":"v"}}`,
		"metadata:\n  n: .nan\n  big: 99999999999999999999\n":     `{"big":100000000000000000000,"n":".nan"}`,
		"metadata: {}\n":                `{}`,
		"metadata: x\n":                 "",
		"metadata: [a]\n":               "",
		"metadata:\n":                   "",
		"metadata:\n  [a]: b\n":         "",
		"x: y\n":                        "",
		"metadata:\n  1: x\n":           `{"1":"x"}`,
		"a: &a 1\nmetadata:\n  k: *a\n": `{"k":1}`,
	} {
		h, _ := header.Split([]byte("---\n" + head + "---\n"))
		if got, ok := h.Map("metadata"); got != want || ok != (want != "") {
			if ok || want != "" {
				t.Errorf("%q: %q, %v; want %q", head, got, ok, want)
			}
		}
	}
}

func TestSetIn(t *testing.T) {
	for name, row := range map[string]struct{ was, key, value, want string }{
		"no header":            {"Text.\n", "a", `"x"`, "---\nmetadata:\n  a: x\n---\nText.\n"},
		"a new one":            {"---\nt: x\n---\n", "n", `3`, "---\nt: x\nmetadata:\n  n: 3\n---\n"},
		"a text like a number": {"---\nt: x\n---\n", "n", `"3"`, "---\nt: x\nmetadata:\n  n: \"3\"\n---\n"},
		"one more":             {"---\nmetadata: # why\n    a: 1 # one\nt: x\n---\n", "b", `"y z"`, "---\nmetadata: # why\n    a: 1 # one\n    b: y z\nt: x\n---\n"},
		"another value":        {"---\nmetadata:\n  a: 1 # one\n  b: 2\n---\n", "a", `2`, "---\nmetadata:\n  a: 2 # one\n  b: 2\n---\n"},
		"the same":             {"---\nmetadata:\n  a: 'x'\n---\n", "a", `"x"`, "---\nmetadata:\n  a: 'x'\n---\n"},
		"out":                  {"---\nmetadata:\n  # about a\n  a: 1\n  b: 2\n---\n", "a", "", "---\nmetadata:\n  # about a\n  b: 2\n---\n"},
		"the last one":         {"---\nmetadata:\n  a: 1\nt: x\n---\n", "a", "", "---\nt: x\n---\n"},
		"one that is not":      {"---\nmetadata:\n  a: 1\n---\n", "b", "", "---\nmetadata:\n  a: 1\n---\n"},
		"none there":           {"---\nt: x\n---\n", "b", "", "---\nt: x\n---\n"},
		"in braces":            {"---\nmetadata: {b: [1, 2], a: x} # c\nt: x\n---\n", "c", `true`, "---\nmetadata: # c\n  a: x\n  b: [1,2]\n  c: true\nt: x\n---\n"},
		"a list":               {"---\nmetadata:\n  a:\n    - 1\n    - 2\n  b: 3\n---\n", "a", `[3]`, "---\nmetadata:\n  a: [3]\n  b: 3\n---\n"},
		"a mapping":            {"---\nmetadata:\n  a: 1\n---\n", "m", `{"k":"v w"}`, "---\nmetadata:\n  a: 1\n  m: {\"k\":\"v w\"}\n---\n"},
		"CRLF":                 {"---\r\nt: x\r\n---\r\n", "a", `"x"`, "---\r\nt: x\r\nmetadata:\r\n  a: x\r\n---\r\n"},
	} {
		got, err := header.SetIn([]byte(row.was), "metadata", row.key, row.value)
		if err != nil || string(got) != row.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, row.want)
		}
	}
}

func TestSetInRefuses(t *testing.T) {
	for _, row := range [][2]string{
		{"---\nmetadata: x\n---\n", "a"}, {"---\nmetadata: [x]\n---\n", "a"}, {"---\nt: x\n---\n", "a b: c"}, {"---\nt: x\n---\n", ""},
		{"---\nmetadata: {a: 1, # why\n  b: 2}\n---\n", "a"},
	} {
		if got, err := header.SetIn([]byte(row[0]), "metadata", row[1], `"v"`); err == nil {
			t.Errorf("%q became %q", row, got)
		}
	}
}

// What is written is read again, and nothing else changes.
func FuzzSetIn(f *testing.F) {
	f.Add("---\nmetadata:\n  a: 1 # c\nt: x\n---\nText.\n", "b", "v: w")
	f.Add("---\nmetadata: {a: [1, 2]}\n---\n", "a", "")
	f.Add("Text.", "a", "x\ny")
	f.Fuzz(func(t *testing.T, doc, key, text string) {
		h, body := header.Split([]byte(doc))
		value := string(must(t, text))
		out, err := header.SetIn([]byte(doc), "metadata", key, value)
		if err != nil {
			return
		}
		after, rest := header.Split(out)
		if after.Err() != nil || string(rest) != string(body) {
			t.Fatalf("%q became %q: %v", doc, out, after.Err())
		}
		object, _ := after.Map("metadata")
		found := false
		_ = header.EachIn(object, func(name, is string) error {
			found = found || name == key && is == value
			return nil
		})
		if !found {
			t.Fatalf("%q became %q: %s holds no %q of %s", doc, out, object, key, value)
		}
		for _, other := range h.Keys() {
			if was, _ := h.Get(other); other != "metadata" {
				if is, _ := after.Get(other); is != was {
					t.Fatalf("%s was %q and is %q", other, was, is)
				}
			}
		}
	})
}

// must writes a text as JSON, as Map writes it.
func must(t *testing.T, text string) []byte {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Skip("JSON has no such text")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
