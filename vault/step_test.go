package vault

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/prose"
)

const (
	head = "---\nid: pf-1\n# comment\ntitle: Old\nlabels: [a, b]\n---\n"
	one  = "\n" + pointer.Start + "\n[\n  {\"id\": \"pf-a\", \"title\": \"A\", \"summary\": \"When a\"}\n]\n" + pointer.End + "\n"
)

// unseen returns a text with its visible block hidden.
func unseen(doc string) string {
	return strings.NewReplacer(pointer.Start, pointer.HiddenStart, pointer.End, pointer.HiddenEnd).Replace(doc)
}

func addA() *pointer.Entry { return &pointer.Entry{ID: "pf-a", Title: "A", Summary: "When a"} }

func TestApply(t *testing.T) {
	for name, row := range map[string]struct {
		step      Step
		doc, want string
		again     bool // applied to its result it adds something
	}{
		"add pointer":              {Step{Op: OpAddPointer, Entry: addA()}, head + "Prose.\n", head + "Prose.\n" + one, false},
		"add pointer, no header":   {Step{Op: OpAddPointer, Entry: addA()}, "Prose.\n", "Prose.\n" + one, false},
		"add pointer, it stands":   {Step{Op: OpAddPointer, Entry: &pointer.Entry{ID: "pf-a", Title: "Other"}}, head + one, head + one, false},
		"set pointer":              {Step{Op: OpSetPointer, Entry: &pointer.Entry{ID: "pf-a", Title: "A", Summary: "Now"}}, head + "P.\n" + one, head + "P.\n" + strings.Replace(one, "When a", "Now", 1), false},
		"set pointer that is none": {Step{Op: OpSetPointer, Entry: addA()}, head + "P.\n", head + "P.\n" + one, false},
		"remove pointer":           {Step{Op: OpRemovePointer, ID: "pf-a"}, head + "P.\n" + one + "after\n", head + "P.\n\nafter\n", false},
		"set block":                {Step{Op: OpSetBlock, Entries: []pointer.Entry{*addA()}}, head + "P.\n\n" + pointer.Start + "\n[oops\n" + pointer.End + "\n", head + "P.\n\n[oops\n" + one, false},
		"add pointer, hidden":      {Step{Op: OpAddPointer, Entry: addA(), Hidden: true}, head + "Prose.\n", head + "Prose.\n" + unseen(one), false},
		"set pointer, hidden":      {Step{Op: OpSetPointer, Entry: addA(), Hidden: true}, "P.", "P.\n" + strings.Replace(unseen(one), "\n]", "\n ]", 1), false},
		"hidden, it is visible":    {Step{Op: OpSetPointer, Entry: &pointer.Entry{ID: "pf-a", Title: "A", Summary: "Now"}, Hidden: true}, "P.\n" + one, "P.\n" + strings.Replace(one, "When a", "Now", 1), false},
		"visible, it is hidden":    {Step{Op: OpSetPointer, Entry: &pointer.Entry{ID: "pf-a", Title: "A", Summary: "Now"}}, "P.\n" + unseen(one), "P.\n" + strings.Replace(unseen(one), "When a", "Now", 1), false},
		"remove a hidden pointer":  {Step{Op: OpRemovePointer, ID: "pf-a", Hidden: true}, head + "P.\n" + unseen(one) + "after\n", head + "P.\n\nafter\n", false},
		"set block, hidden, bad":   {Step{Op: OpSetBlock, Entries: []pointer.Entry{*addA()}, Hidden: true}, "P.\n\n" + pointer.Start + "\n[oops\n" + pointer.End + "\n", "P.\n\n[oops\n" + one, false},
		"append, hidden block":     {Step{Op: OpAppend, Text: "New."}, head + "P.\n" + unseen(one) + "after\n", head + "P.\n\nNew.\n" + unseen(one) + "after\n", true},
		"restyle to hidden":        {Step{Op: OpRestyle, Hidden: true}, head + "P.\n" + one + "after\n", head + "P.\n" + unseen(one) + "after\n", false},
		"restyle to visible, CRLF": {Step{Op: OpRestyle}, strings.ReplaceAll("P.\n"+unseen(one), "\n", "\r\n"), strings.ReplaceAll("P.\n"+one, "\n", "\r\n"), false},
		"restyle no block":         {Step{Op: OpRestyle, Hidden: true}, head + "P.\n", head + "P.\n", false},
		"set setting":              {Step{Op: OpSetSetting, Key: "format", Value: "2"}, "# marker\nformat: 1 # of 1\nproject: v\n", "# marker\nformat: 2 # of 1\nproject: v\n", false},
		"set setting, none yet":    {Step{Op: OpSetSetting, Key: "format", Value: "2"}, "project: v", "project: v\nformat: 2\n", false},
		"set setting, no value":    {Step{Op: OpSetSetting, Key: "format", Value: "2"}, "format: # old\r\n", "format: 2 # old\r\n", false},
		"set setting, it stands":   {Step{Op: OpSetSetting, Key: "format", Value: "2"}, "format: 2\n", "format: 2\n", false},
		"set block to none":        {Step{Op: OpSetBlock}, head + "P.\n" + one, head + "P.\n", false},
		"set key":                  {Step{Op: OpSetKey, Key: "title", Value: "New"}, head, strings.Replace(head, "Old", "New", 1), false},
		"set list":                 {Step{Op: OpSetList, Key: "labels", List: []string{"c"}}, head, strings.Replace(head, "[a, b]", "[c]", 1), false},
		"add to list":              {Step{Op: OpAddToList, Key: "labels", List: []string{"b", "c", "c"}}, head, strings.Replace(head, "[a, b]", "[a, b, c]", 1), false},
		"add to no list":           {Step{Op: OpAddToList, Key: "labels", List: []string{"c"}}, "x\n", "---\nlabels: [c]\n---\nx\n", false},
		"add nothing to no list":   {Step{Op: OpAddToList, Key: "labels"}, "x\n", "x\n", false},
		"drop from list":           {Step{Op: OpDropFromList, Key: "labels", List: []string{"a", "z"}}, head, strings.Replace(head, "[a, b]", "[b]", 1), false},
		"drop key":                 {Step{Op: OpDropKey, Key: "labels"}, head, strings.Replace(head, "labels: [a, b]\n", "", 1), false},
		"drop no key":              {Step{Op: OpDropKey, Key: "nope"}, head, head, false},
		"append":                   {Step{Op: OpAppend, Text: "\nNew.\n\n"}, head + "P.\n", head + "P.\n\nNew.\n", true},
		"append before the block":  {Step{Op: OpAppend, Text: "New."}, head + "P.\n" + one + "after\n", head + "P.\n\nNew.\n" + one + "after\n", true},
		"append to nothing":        {Step{Op: OpAppend, Text: "New."}, head, head + "New.\n", true},
		"append to no newline":     {Step{Op: OpAppend, Text: "New."}, "P.", "P.\n\nNew.\n", true},
		"append nothing":           {Step{Op: OpAppend, Text: "\n"}, "P.", "P.", false},
		"append to CRLF":           {Step{Op: OpAppend, Text: "a\nb"}, "P.\r\n", "P.\r\n\r\na\r\nb\r\n", true},
		"set prose":                {Step{Op: OpSetProse, Text: "New."}, head + "P.\n\nQ.\n" + one + "after\n", head + "New.\n" + one, false},
		"set prose, CRLF header":   {Step{Op: OpSetProse, Text: "a\nb\n"}, "---\r\nid: pf-1\r\n---\r\n", "---\r\nid: pf-1\r\n---\r\na\r\nb\r\n", false},
		"set prose to nothing":     {Step{Op: OpSetProse}, head + "P.\n" + one, head + strings.TrimPrefix(one, "\n"), false},
		"section in the middle":    {Step{Op: OpSetSection, Name: "B", Text: "new"}, "# A\n\n## B\nold\n### Sub\nx\n\n## C\nc\n", "# A\n\n## B\n\nnew\n\n## C\nc\n", false},
		"section at the end":       {Step{Op: OpSetSection, Name: "B", Text: "new\n"}, "## A\na\n\n## B\n\nold", "## A\na\n\n## B\n\nnew\n", false},
		"section before the block": {Step{Op: OpSetSection, Name: "B", Text: "new"}, head + "## B\nold\n" + one, head + "## B\n\nnew\n" + one, false},
		"section, setext":          {Step{Op: OpSetSection, Name: "B", Text: "new"}, "B\n---\nold\n\nC\n===\n", "B\n---\n\nnew\n\nC\n===\n", false},
		"section with closing #":   {Step{Op: OpSetSection, Name: " B ", Text: "new"}, "## B ##\nold\n", "## B ##\n\nnew\n", false},
		"section only in code":     {Step{Op: OpSetSection, Name: "B", Text: "new"}, "```\n## B\n```\n", "```\n## B\n```\n\n## B\n\nnew\n", false},
		"section of that level":    {Step{Op: OpSetSection, Name: "B", Text: "new"}, "## B\nold\n# Up\nx\n", "## B\n\nnew\n\n# Up\nx\n", false},
		"section as it stands":     {Step{Op: OpSetSection, Name: "B", Text: "old"}, "## B\nold\n\n\n## C\n", "## B\nold\n\n\n## C\n", false},
		"below a section":          {Step{Op: OpAddToSection, Name: "B", Text: "new"}, "## B\n\nold\n\nsince\n\n## C\nc\n", "## B\n\nold\n\nsince\n\nnew\n\n## C\nc\n", false},
		"below a section at end":   {Step{Op: OpAddToSection, Name: "B", Text: "new"}, head + "## B\n\nold" + one, head + "## B\n\nold\n\nnew\n" + one, false},
		"below no section":         {Step{Op: OpAddToSection, Name: "B", Text: "new"}, "P.\n", "P.\n\n## B\n\nnew\n", false},
		"below an empty section":   {Step{Op: OpAddToSection, Name: "B", Text: "new"}, "## B", "## B\n\nnew\n", false},
		"below, it stands":         {Step{Op: OpAddToSection, Name: "B", Text: "old"}, "## B\n\nold\n\nsince\n", "## B\n\nold\n\nsince\n", false},
		"section emptied":          {Step{Op: OpSetSection, Name: "B"}, "## B\nold\n## C\nc\n", "## B\n\n## C\nc\n", false},
		"section below the block":  {Step{Op: OpSetSection, Name: "## b", Text: "new"}, "## A\na\n" + one + "\n## B\nold\n", "## A\na\n" + one + "\n## B\n\nnew\n", false},
		"section in another":       {Step{Op: OpSetSection, Name: "A::B", Value: "### B", Text: "new"}, "## A\na\n\n## C\nc\n" + one, "## A\na\n\n### B\n\nnew\n\n## C\nc\n" + one, false},
		"section, CRLF":            {Step{Op: OpSetSection, Name: "B", Text: "a\nb"}, "## B\r\nold\r\n## C\r\n", "## B\r\n\r\na\r\nb\r\n\r\n## C\r\n", false},
		"header unended":           {Step{Op: OpAppend, Text: "New."}, "---\nid: pf-1\n---", "---\nid: pf-1\n---\nNew.\n", true},
		"header unended, CRLF":     {Step{Op: OpAppend, Text: "a\nb"}, "---\r\nid: pf-1\r\n---", "---\r\nid: pf-1\r\n---\r\na\r\nb\r\n", true},
		"header cut within CRLF":   {Step{Op: OpAppend, Text: "New."}, "---\r\nid: pf-1\r\n---\r", "---\r\nid: pf-1\r\n---\r\nNew.\r\n", true},
		"header unended, BOM":      {Step{Op: OpSetProse, Text: "New."}, "\ufeff---\nid: pf-1\n...", "\ufeff---\nid: pf-1\n...\nNew.\n", false},
		"header unended, blanks":   {Step{Op: OpSetSection, Name: "B", Text: "new"}, "---\nid: pf-1\n---   ", "---\nid: pf-1\n---   \n## B\n\nnew\n", false},
		"header unended, empty":    {Step{Op: OpAddPointer, Entry: addA()}, "---\n---", "---\n---" + one, false},
		"header unended, a key":    {Step{Op: OpSetKey, Key: "title", Value: "New"}, "---\nid: pf-1\n---", "---\nid: pf-1\ntitle: New\n---", false},
		"first block, CRLF header": {Step{Op: OpAddPointer, Entry: addA()}, "---\r\nid: pf-1\r\n---\r\n", "---\r\nid: pf-1\r\n---" + strings.ReplaceAll(one, "\n", "\r\n"), false},
		"heading without newline":  {Step{Op: OpSetSection, Name: "B", Text: "new"}, "## B", "## B\n\nnew\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			done := row.step.Done([]byte(row.doc))
			got, err := row.step.Apply([]byte(row.doc))
			if diff := cmp.Diff(row.want, string(got)); err != nil || diff != "" {
				t.Fatalf("%v\n%s", err, diff)
			}
			if row.step.Op != OpAppend && done != (row.want == row.doc) {
				t.Errorf("done before: got %v", done)
			}
			if !row.step.Done(got) {
				t.Error("not done after")
			}
			again, err := row.step.Apply(got)
			if err != nil || (string(again) != string(got)) != row.again {
				t.Errorf("again: %v\n%s", err, cmp.Diff(string(got), string(again)))
			}
		})
	}
}

func TestApplyRefusesWithTheLine(t *testing.T) {
	for name, row := range map[string]struct {
		step Step
		doc  string
		code Code
		line int
	}{
		"header never closed":     {Step{Op: OpSetKey, Key: "a", Value: "b"}, "---\ntitle: x\n\nbody\n", CodeDamaged, 1},
		"header broken":           {Step{Op: OpAddToList, Key: "labels", List: []string{"x"}}, "---\nid: pf-1\ntitle: a: b\n---\n", CodeDamaged, 3},
		"block damaged":           {Step{Op: OpAddPointer, Entry: addA()}, head + "P.\n\n" + pointer.Start + "\n[oops]\n", CodeDamaged, 9},
		"block damaged, append":   {Step{Op: OpAppend, Text: "x"}, head + pointer.Start + "\n[oops]\n" + pointer.End + "\n", CodeDamaged, 8},
		"prose would hide it":     {Step{Op: OpAddPointer, Entry: addA()}, head + "P.\n\n```\ncode\n", CodeDamaged, 9},
		"text hides the block":    {Step{Op: OpAppend, Text: "```\nnever closed"}, head + "P.\n" + one, CodeInvalid, 0},
		"text brings a block":     {Step{Op: OpSetProse, Text: one}, head + "P.\n" + one, CodeInvalid, 0},
		"text brings a first one": {Step{Op: OpSetProse, Text: one}, head + "P.\n", CodeInvalid, 0},
		"value not UTF-8":         {Step{Op: OpSetKey, Key: "a", Value: "\xff"}, head, CodeInvalid, 0},
		"no such step":            {Step{Op: "nope"}, head, CodeInternal, 0},
		"no entry":                {Step{Op: OpAddPointer}, head, CodeInternal, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := row.step.Apply([]byte(row.doc))
			var e *Error
			if !errors.As(err, &e) || e.Code != row.code || e.Line != row.line {
				t.Errorf("got %q, %v (%+v); want %s at line %d", got, err, e, row.code, row.line)
			}
			if row.step.Done([]byte(row.doc)) {
				t.Error("done")
			}
		})
	}
}

func TestApplyStepsIsAllOrNothing(t *testing.T) {
	steps := []Step{{Op: OpSetKey, Key: "title", Value: "New"}, {Op: OpAddPointer, Entry: addA()}, {Op: OpAppend, Text: "More."}}
	doc := []byte(head + "P.\n")
	got, err := ApplySteps(steps, doc)
	if want := strings.Replace(head, "Old", "New", 1) + "P.\n\nMore.\n" + one; err != nil || string(got) != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
	if string(doc) != head+"P.\n" {
		t.Error("the input was changed")
	}
	if got, err := ApplySteps(append(steps, Step{Op: "nope"}), doc); err == nil || got != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestDoneOfAppend(t *testing.T) {
	s := Step{Op: OpAppend, Text: "a line\nand one\n"}
	for doc, want := range map[string]bool{
		head + "P.\n\na line\nand one\n":                           true,
		head + "P.\n\na line\r\nand one\r\n\r\nmore\r\n":           true,
		head + "a line\nand one more\n":                            false,
		head + "not a line\nand one\n":                             false,
		"---\nx: |\n  a line\n  and one\n---\n":                    false,
		"":                                                         false,
		head + "xa line\nand one\n\na line\nand one\n":             true,
		head + "P.\n\na line\nand one\n" + one + "text after it\n": true,
	} {
		if got := s.Done([]byte(doc)); got != want {
			t.Errorf("%q: got %v, want %v", doc, got, want)
		}
	}
}

func TestStepsSurviveTheIntent(t *testing.T) {
	steps := []Step{{Op: OpAddPointer, Entry: &pointer.Entry{ID: "pf-a", Title: "<b>", Extra: []pointer.Field{{Key: "z", Value: json.RawMessage("1")}, {Key: "a", Value: json.RawMessage("[2]")}}}}, {Op: OpSetBlock, Entries: []pointer.Entry{*addA()}}}
	b, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	var again []Step
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(steps, again); diff != "" {
		t.Error(diff)
	}
}

// FuzzApply: no step panics; what it makes is done, and doing it again changes
// nothing (OpAppend adds).
func FuzzApply(f *testing.F) {
	ops := []Op{OpAddPointer, OpSetPointer, OpRemovePointer, OpSetBlock, OpSetKey, OpSetList, OpAddToList, OpDropFromList, OpDropKey, OpAppend, OpSetSection, OpSetProse, OpRestyle}
	for i := range ops {
		f.Add([]byte(head+"# A\n\n## B\nb\n"+one), i, "B", "text\n\n## C")
		f.Add([]byte("B\r\n---\r\n- x\r\n"), i, "pf-a", "```")
		f.Add([]byte(head+"# A\n\n## B\nb\n"+unseen(one)), -i, "pf-a", "-->")
	}
	f.Fuzz(func(t *testing.T, doc []byte, n int, name, text string) {
		e := pointer.Entry{ID: name, Title: text}
		s := Step{Op: ops[uint(n)%uint(len(ops))], Entry: &e, Entries: []pointer.Entry{e}, ID: ID(name), Key: "title", Value: text, List: []string{name}, Name: name, Text: text, Hidden: n < 0}
		if s.Op == OpAddToList || s.Op == OpSetList || s.Op == OpDropFromList {
			s.Key = "labels"
		}
		before := string(doc)
		got, err := s.Apply(doc)
		if string(doc) != before {
			t.Fatal("the input was changed")
		}
		if err != nil {
			return
		}
		made, taken, err := ApplyTaking([]Step{s}, doc)
		if err != nil || string(made) != string(got) || strings.Join(taken, "") != s.Takes(doc) {
			t.Fatalf("%+v on %q, taking: %q, %v; want %q; taken %q, want %q", s, doc, made, err, got, taken, s.Takes(doc))
		}
		if !s.Done(got) && !unlikely(s) {
			t.Fatalf("%+v on %q is not done in %q", s, doc, got)
		}
		if again, err := s.Apply(got); s.Op != OpAppend && !unlikely(s) && (err != nil || string(again) != string(got)) {
			t.Fatalf("%+v on %q\n%q\n%q, %v", s, doc, got, again, err)
		}
	})
}

// unlikely reports whether the verbs never make such a step: lists of names with
// white space around them, names of sections that are no plain heading, texts
// that end inside a code fence or bring headings.
func unlikely(s Step) bool {
	if s.Op == OpSetSection || s.Op == OpAppend || s.Op == OpSetProse {
		return strings.ContainsAny(s.Name+s.Text, "#=-`~<>\r\t\\\x00") || strings.TrimSpace(s.Name) == "" || !unpadded(s.Name) || !unpadded(s.Text)
	}
	return strings.ContainsAny(s.Name, ", \t\r\n") || !unpadded(s.Name)
}

func unpadded(s string) bool {
	return strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\u0085\u00a0")
}

// A new destination may be another link's old one: made twice, the step changes nothing.
func TestRelinkOfAChain(t *testing.T) {
	step := Step{Op: OpRelink, Links: []prose.Relink{{From: "a.md", To: "../a.md"}, {From: "../a.md", To: "../../a.md"}, {From: "a.md", To: "../a.md"}}}
	doc := head + "[x](a.md \"t\") `[x](a.md)` [y](<../a.md>) [z](../a.md) [x](a.md)\n" + one
	want := head + "[x](../a.md \"t\") `[x](a.md)` [y](<../a.md>) [z](../../a.md) [x](../a.md)\n" + one
	got, err := step.Apply([]byte(doc))
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	typed := strings.Replace(want, "`[x]", "typed [x](../b.md) `[x]", 1)
	for _, doc := range []string{want, typed} {
		if !step.Done([]byte(doc)) {
			t.Errorf("not done: %q", doc)
		}
	}
}
