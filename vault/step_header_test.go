package vault

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// whole are valid files of every shape that a header has.
var whole = []string{
	"---\nid: c-aaaaaaaa\ntitle: P\nlabels: [a, b]\nstatus: open\n---\n# P\n\nProse.\n\n## Resolution\n\nOld.\n" + one + "after\n",
	"---\nid: c-aaaaaaaa\ntitle: P\nlabels:\n  - a\n  - b\n---   \n\n## Resolution\nold",
	"---\nid: c-aaaaaaaa\n...\nProse.\n",
	"---\nid: c-aaaaaaaa\n---\nProse.\n" + unseen(one) + "after\n",
	"---\n---\nProse.\n",
	"---\n\nA break, then prose.\n\n---\n\nMore.\n",
	"---\ntitle: P\n---\n---\nfoo: bar\n---\n",
	"# No header\n\nProse.\n---\n",
}

// shapes returns the file as it stands, with CRLF, and with a byte order mark.
func shapes(doc string) []string {
	crlf := strings.ReplaceAll(doc, "\n", "\r\n")
	return []string{doc, crlf, "\ufeff" + doc, "\ufeff" + crlf}
}

// everyStep are steps of each kind.
func everyStep() []Step {
	return []Step{
		{Op: OpAddPointer, Entry: addA()}, {Op: OpSetPointer, Entry: addA()}, {Op: OpRemovePointer, ID: "pf-a"},
		{Op: OpAddPointer, Entries: []pointer.Entry{*addA(), {ID: "pf-b", Title: "B"}}},
		{Op: OpSetBlock, Entries: []pointer.Entry{*addA()}}, {Op: OpSetBlock},
		{Op: OpAddPointer, Entry: addA(), Hidden: true}, {Op: OpSetBlock, Entries: []pointer.Entry{*addA()}, Hidden: true}, {Op: OpRestyle}, {Op: OpRestyle, Hidden: true},
		{Op: OpSetKey, Key: "title", Value: "New"}, {Op: OpSetKey, Key: "id", Value: "pf-1"}, {Op: OpDropKey, Key: "title"},
		{Op: OpSetList, Key: "labels", List: []string{"c"}}, {Op: OpAddToList, Key: "labels", List: []string{"c"}}, {Op: OpDropFromList, Key: "labels", List: []string{"a"}},
		{Op: OpAppend, Text: "New.\nLine."}, {Op: OpAppend, Text: "---\ntitle: other\n---"}, {Op: OpAppend, Text: "title: other\n---\nx"},
		{Op: OpSetProse, Text: "New.\nLine."}, {Op: OpSetProse, Text: "---\ntitle: other\n---"}, {Op: OpSetProse},
		{Op: OpSetSection, Name: "Resolution", Text: "New.\nLine."}, {Op: OpSetSection, Name: "Other", Text: "title: other\n\n---"}, {Op: OpSettle},
	}
}

// Every step on every prefix of a file leaves the header what it is, every byte
// above the text, and the file's line ends; what it inserts is in the text. Fault O1.
func TestEveryStepOnEveryPrefix(t *testing.T) {
	for _, file := range whole {
		for _, shape := range shapes(file) {
			for n := range len(shape) + 1 {
				for _, s := range everyStep() {
					stepKeepsHeader(t, s, []byte(shape[:n]))
				}
			}
		}
	}
}

// FuzzStepKeepsHeader is TestEveryStepOnEveryPrefix for any text.
func FuzzStepKeepsHeader(f *testing.F) {
	for _, file := range whole {
		for _, shape := range shapes(file) {
			f.Add([]byte(shape), "New.")
		}
	}
	f.Add([]byte("---\nid: c-aaaaaaaa\n---\r"), "---\na: b\n---")
	f.Add([]byte("\x00"), "New.")
	f.Fuzz(func(t *testing.T, doc []byte, text string) {
		for _, s := range everyStep() {
			stepKeepsHeader(t, s, doc)
			if s.Text != "" {
				s.Text = text
				stepKeepsHeader(t, s, doc)
			}
		}
	})
}

// stepKeepsHeader applies one step and fails where it changed what it does not mean.
func stepKeepsHeader(t *testing.T, s Step, doc []byte) {
	t.Helper()
	out, err := s.Apply(doc)
	if err != nil || bytes.IndexByte(doc, 0) >= 0 || bytes.IndexByte([]byte(s.Text), 0) >= 0 {
		return // what holds NUL bytes is no text: it is not read back
	}
	before, body := header.Split(doc)
	after, text := header.Split(out)
	bad := func(why string) { t.Fatalf("%s %q on %q gives %q: %s", s.Op, s.Text, doc, out, why) }
	if bytes.Contains(doc, []byte("\n")) && !bareLF(doc) && bareLF(out) && !strings.Contains(s.Text, "\r") {
		bad("another line end")
	}
	if s.Op == OpSettle {
		return
	}
	if s.Key != "" {
		others := func(keys []string) []string {
			return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == s.Key })
		}
		if !bytes.Equal(body, text) || !slices.Equal(others(before.Keys()), others(after.Keys())) || after.Err() != nil && before.Err() == nil {
			bad("more than the key")
		}
		return
	}
	if after.HasFrontMatter() != before.HasFrontMatter() || after.Text() != before.Text() || (after.Err() == nil) != (before.Err() == nil) {
		bad("the header reads otherwise")
	}
	if !bytes.HasPrefix(out, doc[:len(doc)-len(body)]) {
		bad("bytes above the text changed")
	}
	if s.Op != OpSetSection && !s.Done(out) || !bytes.Contains(out, []byte(s.Name)) {
		bad("it does not show")
	}
	if m := Parse("p.md", out); s.Entry != nil && !slices.ContainsFunc(m.Pointers, func(e pointer.Entry) bool { return e.ID == s.Entry.ID }) {
		bad("no pointer")
	}
}

// bareLF reports whether a line of the text ends in LF alone.
func bareLF(doc []byte) bool {
	return bytes.Count(doc, []byte("\n")) != bytes.Count(doc, []byte("\r\n"))
}
