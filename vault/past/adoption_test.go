package past

import (
	"testing"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// What an adoption puts into a text is taken out again byte for byte, and what
// was typed meanwhile stays.
func TestAdopts(t *testing.T) {
	id := []vault.Step{{Op: vault.OpSetKey, Key: "id", Value: "pf-abcdefgh"}}
	block := vault.Step{Op: vault.OpSetPointer, Entry: &pointer.Entry{ID: "pf-kid00000", Title: "Kid", Summary: "If"}}
	foreign := []vault.Step{{Op: vault.OpSetKey, Key: "source_id", Value: "not ours"}, id[0]}
	for name, c := range map[string]struct {
		before string
		steps  []vault.Step
		usual  bool
	}{
		"no header":                     {"text\n", id, true},
		"no header, no line end":        {"text", id, true},
		"no header, block":              {"text\n", append(id, block), true},
		"no line end, block":            {"text", append(id, block), true},
		"CRLF":                          {"text\r\nmore\r\n", append(id, block), true},
		"BOM":                           {"\ufefftext\n", id, true},
		"a header":                      {"---\ntitle: x\n---\ntext\n", append(id, block), true},
		"an indented header":            {"---\n  title: x\n---\ntext\n", id, true},
		"an empty header":               {"---\n---\ntext\n", id, false},
		"an id of its own":              {"---\nid: pf-abcdefgh\n---\ntext\n", id, false},
		"a foreign id":                  {"---\nid: \"not ours\"   # x\ntitle: x\n---\ntext\n", foreign, false},
		"a block of its own":            {"text\n\n<!-- sub-memories -->\n[\n]\n<!-- /sub-memories -->\n", append(id, block), false},
		"a summary":                     {"---\nsummary: 'a'\n---\n", append(id, vault.Step{Op: vault.OpSetKey, Key: "summary", Value: "b"}), false},
		"a paragraph":                   {"text\n\nid: pf-abcdefgh\n", append(id, vault.Step{Op: vault.OpAppend, Text: "more"}), false},
		"its own id line in the prose":  {"id: pf-abcdefgh\n", id, true},
		"a paragraph without line ends": {"text", append(id, vault.Step{Op: vault.OpAppend, Text: "more"}), false},
	} {
		after, err := vault.ApplySteps(c.steps, []byte(c.before))
		if err != nil {
			t.Fatal(name, err)
		}
		e := vault.Edit{Path: "a.md"}
		line := Adopts(&e, []byte(c.before), after, true)
		if (line == adoptsAll) != c.usual {
			t.Errorf("%s: the trailer is %s", name, line)
		}
		a, ok := adoptions(&vault.Revision{Adopts: []string{line}}).Of("a.md", after)
		if got, err := vault.ApplySteps(a.Steps, after); !ok || err != nil || string(got) != c.before {
			t.Errorf("%s: got %q, want %q (%v)", name, got, c.before, err)
		}
		typed, _ := vault.Step{Op: vault.OpAppend, Text: "typed"}.Apply(after)
		got, err := vault.ApplySteps(a.Steps, typed)
		want, _ := vault.Step{Op: vault.OpAppend, Text: "typed"}.Apply([]byte(c.before))
		if c.usual && (err != nil || string(got) != string(want)) {
			t.Errorf("%s, with what was typed: got %q, want %q (%v)", name, got, want, err)
		}
	}
}
