package vault

import (
	"strings"
	"testing"
)

// A hash of digits only stays what it is in a header.
func TestSummaryOfSurvivesYAML(t *testing.T) {
	for _, of := range []string{"5f1c09aa37be", "123456789012", "1234e5678901", "000000000000", "0x1234567890"} {
		doc, err := Render(&Memory{ID: "pf-aa1", Header: Header{Title: "T", Summary: "S", SummaryOf: of}, Prose: "Text."})
		if err != nil {
			t.Fatal(err)
		}
		if m := Parse("t.md", doc); m.SummaryOf != of || len(m.Problems) > 0 {
			t.Errorf("%s: got %q in\n%s", of, m.SummaryOf, doc)
		}
	}
}

// A phrase is for a text: whatever else changes in the file leaves it fresh.
func TestOutdated(t *testing.T) {
	const body = "First.\n\nSecond.\n"
	written := &Memory{ID: "pf-aa1", Header: Header{Title: "T", Summary: "S"}, Prose: body}
	written.ByModel()
	doc, err := Render(written)
	if err != nil {
		t.Fatal(err)
	}
	text := string(doc)
	for _, test := range []struct {
		name, doc string
		want      bool
	}{
		{"as written", text, false},
		{"with a label", strings.Replace(text, "status: open", "status: open\nlabels: [a]", 1), false},
		{"with a child", text + "\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-b\", \"title\": \"B\", \"summary\": \"s\"}\n]\n<!-- /sub-memories -->\n", false},
		{"another title", strings.Replace(text, "title: T", "title: U", 1), true},
		{"another text", strings.Replace(text, "Second", "Third", 1), true},
		{"a person's phrase", strings.Replace(strings.Replace(text, "Second", "Third", 1), "summary_of", "x_summary_of", 1), false},
	} {
		m := Parse("t.md", []byte(test.doc))
		n := Node{Header: m.Header, Content: m.ContentHash()}
		if n.IsOutdated() != test.want {
			t.Errorf("%s: got %v\n%s", test.name, n.IsOutdated(), test.doc)
		}
	}
}
