package header_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/header"
)

// line returns a line of a header that sets the field to something.
func line(f header.Field) string {
	switch f.Kind {
	case header.TimeValue:
		return f.Key + ": 2026-02-07T15:30:00Z\n"
	case header.ListValue, header.ReferencesValue:
		return f.Key + ": [a-1, b-2]\n"
	}
	switch {
	case f.Key == "type":
		return "type: task\n"
	case f.Key == "protected":
		return "protected: append\n"
	case f.Kind == header.TextsValue:
		return f.Key + ":\n  - a-1\n  - b, 2\n"
	case f.Kind == header.MappingValue:
		return f.Key + ":\n  a: 1\n  b: two\n"
	}
	return f.Key + ": a-1\n"
}

// read returns what a header of that text says.
func read(text string) (header.Values, []header.Reference) {
	h, _ := header.Split([]byte("---\n" + text + "---\n"))
	v, refs, _ := header.ReadValues(h)
	return v, refs
}

// What every field says is read, and written as it was read, in the order of the table.
func TestEveryFieldIsReadAndWritten(t *testing.T) {
	all := ""
	none, _ := read("x: y\n")
	for _, f := range header.Fields {
		if f.Kind == header.IDValue {
			continue
		}
		all += line(f)
		v, refs := read(line(f))
		if cmp.Equal(v, none) && len(refs) != 2 {
			t.Errorf("%s: nothing is read of %q", f.Key, line(f))
		}
		for _, r := range refs {
			if r.Kind != f.Key {
				t.Errorf("%s: read as %+v", f.Key, r)
			}
		}
		if (len(header.TargetsOf(refs, f.Key)) == 2) != (f.Kind == header.ReferencesValue) {
			t.Errorf("%s: refers to %v", f.Key, refs)
		}
	}
	v, refs := read(all)
	doc, err := header.WriteValues(nil, &v, refs)
	if diff := cmp.Diff("---\n"+all+"---\n", string(doc)); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// A header that is silent says what the table says of it, and that is written, too.
func TestWhatAnEmptyHeaderSays(t *testing.T) {
	v, refs := read("")
	doc, err := header.WriteValues(nil, &v, refs)
	if got := string(doc); got != "---\ntype: memory\nstatus: open\n---\n" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// A type is any word: only records stand outside of the tree.
func TestTypesAreOpen(t *testing.T) {
	for _, word := range append(header.RecordTypes[:], "daily-note", "docs", "") {
		v, _ := read("type: " + word + "\n")
		if want := slices.Contains(header.RecordTypes[:], word); want != (v.Type == word) || !want && v.Type != header.TypeMemory {
			t.Errorf("%q is read as %q", word, v.Type)
		}
	}
}

// By the words of other programs' keys a memory is found; ours are no such words.
func TestKeywordsAreOfOtherKeys(t *testing.T) {
	text := "keywords: [nomad]\n"
	for _, f := range header.Fields {
		if f.Key != "aliases" { // names are words, too
			text += line(f)
		}
	}
	h, _ := header.Split([]byte("---\n" + strings.ReplaceAll(text, "a-1", "mine") + "author: ada\n---\n"))
	if _, _, got := header.ReadValues(h); got != "nomad\n" {
		t.Errorf("got %q", got)
	}
}

// Labels go to the key that is there. What a key holds that is no list of texts stays.
func TestAddAndRemove(t *testing.T) {
	for name, row := range map[string]struct{ was, added, removed string }{
		"none":            {"", "labels: [x]\n", ""},
		"ours":            {"labels: [a]\n", "labels: [a, x]\n", "labels: []\n"},
		"tags":            {"tags:\n  - a # why\n", "tags:\n  - a # why\n  - x\n", "tags: []\n"},
		"words":           {"tags: a, b\n", "tags: [a, b, x]\n", "tags: [b]\n"},
		"with #":          {"tags: ['#a', \"#x\"]\n", "tags: ['#a', \"#x\"]\n", "tags: [\"#x\"]\n"},
		"both":            {"tags: [a, b]\nlabels: [c]\n", "tags: [a, b]\nlabels: [c, x]\n", "tags: [b]\nlabels: [c]\n"},
		"an empty one":    {"tags:\n", "tags: [x]\n", "tags:\n"},
		"a mapping":       {"tags: {area: net}\n", "tags: {area: net}\nlabels: [x]\n", "tags: {area: net}\n"},
		"ours a mapping":  {"labels: {app: web}\n", "labels: {app: web}\ntags: [x]\n", "labels: {app: web}\n"},
		"and tags":        {"labels: {app: web}\ntags: [a]\n", "labels: {app: web}\ntags: [a, x]\n", "labels: {app: web}\ntags: []\n"},
		"a link":          {"tags: [[a]]\n", "tags: [[a]]\nlabels: [x]\n", "tags: [[a]]\n"},
		"a mixed list":    {"tags:\n  - a\n  - b: c\n", "tags:\n  - a\n  - b: c\nlabels: [x]\n", "holds more"},
		"two mappings":    {"tags: {a: b}\nlabels: {a: b}\n", "holds more", "tags: {a: b}\nlabels: {a: b}\n"},
		"remarks between": {"tags: [a, # one\n  b]\n", "tags: [a, # one\n  b, x]\n", "comments inside"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := ""
			if row.was != "" {
				doc = "---\n" + row.was + "---\n"
			}
			check := func(edit func([]byte, string, []string) ([]byte, error), item, want string) {
				out, err := edit([]byte(doc), "labels", []string{item})
				got := strings.TrimSuffix(strings.TrimPrefix(string(out), "---\n"), "---\n")
				if err != nil && strings.Contains(err.Error(), want) && want != "" {
					return
				}
				if err != nil || got != want {
					t.Errorf("%s: got %q, %v; want %q", item, got, err, want)
				}
			}
			check(header.AddItems, "x", row.added)
			check(header.RemoveItems, "a", row.removed)
		})
	}
}
