package vault

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/pointer"
)

// What a step replaces of a person's text and no commit has is missed; what it
// leaves, and what cp itself writes, is not. Fault O4.
func TestLoses(t *testing.T) {
	const doc = head + "P.\n\n## Notes\n\nold\n" + one
	typed := func(was, now string) string { return strings.Replace(doc, was, now, 1) }
	title := Step{Op: OpSetKey, Key: "title", Value: "New"}
	notes := Step{Op: OpSetSection, Name: " Notes ", Text: "new"}
	phrase := Step{Op: OpSetPointer, Entry: &pointer.Entry{ID: "pf-a", Title: "A", Summary: "Now"}}
	status := Step{Op: OpSetKey, Key: "status", Value: "closed"}
	for name, row := range map[string]struct {
		steps []Step
		typed string
		want  string
	}{
		"nothing typed":          {[]Step{title, notes, phrase, {Op: OpSetText, Text: "x"}}, doc, ""},
		"line ends":              {[]Step{title, notes, {Op: OpSetProse, Text: "x"}}, strings.ReplaceAll(doc, "\n", "\r\n"), ""},
		"the title":              {[]Step{title}, typed("Old", "Typed"), "its title"},
		"the title, typed alike": {[]Step{title}, typed("Old", "New"), ""},
		"another key":            {[]Step{{Op: OpSetKey, Key: "summary", Value: "x"}}, typed("Old", "Typed"), ""},
		"a key that goes":        {[]Step{{Op: OpDropKey, Key: "title"}}, typed("Old", "Typed"), "its title"},
		"a list":                 {[]Step{{Op: OpSetList, Key: "labels"}}, typed("[a, b]", "[a, typed]"), "its labels"},
		"a label that is named":  {[]Step{{Op: OpDropFromList, Key: "labels", List: []string{"typed"}}}, typed("[a, b]", "[a, typed]"), ""},
		"the id":                 {[]Step{{Op: OpSetKey, Key: "id", Value: "pf-2"}}, typed("pf-1", "pf-3"), ""},
		"the section":            {[]Step{notes}, typed("old", "typed"), `the section " Notes "`},
		"above the section":      {[]Step{notes}, typed("P.", "Typed."), ""},
		"the prose":              {[]Step{{Op: OpSetProse, Text: "x"}}, typed("P.", "Typed."), "the file"},
		"below the block":        {[]Step{{Op: OpSetProse, Text: "x"}}, doc + "typed\n", "the file"},
		"the whole":              {[]Step{{Op: OpSetText, Text: "x"}}, typed("# comment", "# typed"), "the file"},
		"the phrase":             {[]Step{phrase}, typed("When a", "When typed"), "the pointer to pf-a"},
		"the pointer's title":    {[]Step{phrase}, typed(`"A"`, `"Typed"`), "the pointer to pf-a"},
		"a pointer that goes":    {[]Step{{Op: OpRemovePointer, ID: "pf-a"}}, typed("When a", "When typed"), "the pointer to pf-a"},
		"another pointer goes":   {[]Step{{Op: OpRemovePointer, ID: "pf-b"}}, typed("When a", "When typed"), ""},
		"the block":              {[]Step{{Op: OpSetBlock}}, typed("When a", "When typed"), "the pointer block"},
		"the block, kept":        {[]Step{{Op: OpSetBlock, Entries: []pointer.Entry{{ID: "pf-a", Title: "A", Summary: "When typed"}}}}, typed("When a", "When typed"), ""},
		"a usual status":         {[]Step{status}, typed("labels", "status: in_progress\nlabels"), ""},
		"words for a status":     {[]Step{status}, typed("labels", "status: ask Ann\nlabels"), "its status"},
		"what steps add":         {[]Step{{Op: OpAppend, Text: "x"}, {Op: OpAddToSection, Name: "Notes", Text: "x"}, {Op: OpAddPointer, Entry: &pointer.Entry{ID: "pf-b"}}}, typed("old", "typed"), ""},
		"after a step before":    {[]Step{{Op: OpAppend, Text: "## Late\n\nx"}, {Op: OpSetSection, Name: "Late", Text: "y"}}, doc, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Loses(row.steps, []byte(row.typed), []byte(doc)); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
			if got := Loses(row.steps, []byte(row.typed), []byte(row.typed)); got != "" {
				t.Errorf("committed, it is still missed: %q", got)
			}
		})
	}
	if got := Loses([]Step{notes}, []byte(doc), nil); got == "" {
		t.Error("a file in no commit has nothing to lose")
	}
}

// What steps take out is said after the steps before them, and nothing is said of steps that
// add, or whose effect shows already.
func TestApplyTaking(t *testing.T) {
	set := func(key, value string) Step { return Step{Op: OpSetKey, Key: key, Value: value} }
	point := func(phrase string) Step {
		return Step{Op: OpSetPointer, Entry: &pointer.Entry{ID: "pf-a", Title: "A", Summary: phrase}}
	}
	for name, row := range map[string]struct {
		steps []Step
		want  []string
	}{
		"nothing":           {nil, nil},
		"what adds":         {[]Step{{Op: OpAppend, Text: "x"}, {Op: OpAddPointer, Entries: []pointer.Entry{{ID: "pf-b"}}}, set("summary", "x")}, nil},
		"what shows":        {[]Step{set("title", "Old"), point("When a")}, nil},
		"one after another": {[]Step{set("title", "New"), set("title", "Newer"), point("Now")}, []string{"title: Old", "title: New", "When a\n"}},
		"a pointer's end":   {[]Step{point("Now"), {Op: OpRemovePointer, ID: "pf-a"}}, []string{"When a\n", `{"id": "pf-a", "title": "A", "summary": "Now"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := []byte(head + "P.\n" + one)
			after, taken, err := ApplyTaking(row.steps, doc)
			want, err2 := ApplySteps(row.steps, doc)
			if err != nil || err2 != nil || string(after) != string(want) {
				t.Errorf("got %q, %v; want %q, %v", after, err, want, err2)
			}
			for i, text := range taken {
				taken[i] = strings.TrimSuffix(text, " # comment")
			}
			if diff := cmp.Diff(row.want, taken); diff != "" {
				t.Error(diff)
			}
		})
	}
	if after, taken, err := ApplyTaking([]Step{set("title", "New"), {Op: "nope"}}, []byte(head)); after != nil || taken != nil || err == nil {
		t.Errorf("a step that fails: %q, %q, %v", after, taken, err)
	}
}
