package transfer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault/transfer"
)

const sha = "0123456789012345678901234567890123456789"

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// noted reads the notes of one commit.
func noted(text string) transfer.Bundle {
	return read("cs-memory", []transfer.File{{Rel: "refs/notes/cs/decisions:" + sha, At: day, Text: []byte(text)}})
}

const head = "---\ntype: decision\nspec: s\ntimestamp: 2025-12-14T10:30:00Z\nsummary: Use it\n---\n"

// Each row is a text of notes, and what is made of it: "kind|title|body" for each, or the
// reason why one cannot be read.
func TestParse(t *testing.T) {
	long := strings.Repeat("x", 120)
	for name, row := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                 {"", nil},
		"white space":             {" \n\n", nil},
		"one":                     {head + "\nText.\n", []string{"decision|Use it|Text.\n"}},
		"two":                     {head + "\nA.\n\n" + head + "\nB.\n", []string{"decision|Use it|A.\n\n", "decision|Use it|B.\n"}},
		"a rule in the text":      {head + "A\n\n---\n\nB\n\n---\n", []string{"decision|Use it|A\n\n---\n\nB\n\n---\n"}},
		"a header shown as code":  {head + "```\n" + head + "```\n", []string{"decision|Use it|```\n" + head + "```\n"}},
		"no header":               {"# Use it\nmore\n", []string{"decision|Use it|# Use it\nmore\n"}},
		"a header without an end": {"---\ntype: decision\nsummary: x\n", []string{"Note contains invalid YAML front matter"}},
		"broken YAML":             {"---\nsummary: [x\n---\nA\n", []string{"Note contains invalid YAML front matter"}},
		"no summary":              {"---\ntype: decision\n---\nA\n", []string{"Note missing required field: summary"}},
		"the kind of the ref":     {"---\nsummary: x\n---\n", []string{"decision|x|"}},
		"another kind":            {"---\ntype: learnings\nsummary: x\n---\n", []string{"learning|x|"}},
		"line ends of Windows":    {strings.ReplaceAll(head+"A\n", "\n", "\r\n"), []string{"decision|Use it|A\r\n"}},
		"a byte order mark":       {"\ufeff" + head, []string{"decision|Use it|"}},
		"a quoted colon":          {"---\nsummary: \"a: b\"\n---\n", []string{"decision|a: b|"}},
		"several lines":           {"---\nsummary: |\n  a\n  b\n---\n", []string{"decision|a b|"}},
		"a long one":              {"---\nsummary: " + long + "\n---\nA\n", []string{"decision|" + long[:99] + "…|" + long + "\n\nA\n"}},
		"a resolution below":      {head + "A\n\n  status: resolved\n  resolved_at: 2026-01-01T00:00:00Z\n  resolution: Done: it.\n", []string{"decision|Use it|A\n\n## Resolution\n\nDone: it.\n"}},
		"words of a resolution":   {head + "A\n\nstatus: resolved by hand\nand so on\n", []string{"decision|Use it|A\n\nstatus: resolved by hand\nand so on\n"}},
	} {
		var got []string
		for i, n := range noted(row.text).Items {
			if ref, commit, nth := transfer.GitNote(n.Source); ref != "refs/notes/cs/decisions" || commit != sha || nth != i+1 {
				t.Errorf("%s: the note is %s, number %d", name, n.Source, i+1)
			}
			if n.Err != nil {
				got = append(got, n.Err.Error())
				continue
			}
			got = append(got, n.Entry.Type+"|"+n.Entry.Title+"|"+n.Entry.Prose)
		}
		if strings.Join(got, "\x00") != strings.Join(row.want, "\x00") {
			t.Errorf("%s: got %q, want %q", name, got, row.want)
		}
	}
}

// A note without a date has that of its commit; nothing is said where it says null.
func TestValues(t *testing.T) {
	n := noted("---\nsummary: x\nspec: null\nphase: ~\ntags: a, b\n---\n").Items[0]
	if h := n.Entry.Header; !h.Created.Equal(day) || h.Spec != "" || h.Phase != "" || len(h.Labels) != 2 || h.Commit != sha || h.Source != n.Source {
		t.Errorf("got %+v", h)
	}
	if one, other := noted(head).Items[0], noted(head+"A\n\n"+head).Items; other[0].Source != one.Source || other[1].Source == one.Source {
		t.Errorf("the ids follow from %s, %s and %s", one.Source, other[0].Source, other[1].Source)
	}
}

// No text is lost, and none makes the parser fail: what a note says is in the notes.
func FuzzParse(f *testing.F) {
	f.Add(head + "A\n\n" + head + "B\n")
	f.Add("\x00")
	f.Add("---\ntype: x\n---\n```\n---\nsummary: y\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		all := noted(text).Items
		if strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) == "" != (len(all) == 0) {
			t.Errorf("%q: %d notes", text, len(all))
		}
		for _, n := range all {
			if n.Err == nil && (n.Entry.Title == "" || n.Entry.Type == "" || n.Entry.Created.IsZero()) {
				t.Errorf("%q: got %+v", text, n.Entry)
			}
		}
	})
}
