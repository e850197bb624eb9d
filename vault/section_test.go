package vault

import (
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/prose"
)

// Of two sections of one name none is taken, and one that came about after the plan is a
// person's: the step takes out both, so that it gives way.
func TestTwoSectionsOfAName(t *testing.T) {
	const doc = "---\nid: pf-1\n---\nin\n\n## B\n1\n\n## B\n2\n"
	step := Step{Op: OpSetSection, Name: "b", Value: "## B", Text: "new"}
	if got, err := step.Apply([]byte(doc)); err == nil {
		t.Errorf("got %q", got)
	}
	if got, want := step.Takes([]byte(doc)), "## B\n1\n\n## B\n2\n"; got != want {
		t.Errorf("takes %q, want %q", got, want)
	}
	_, _, err := FindSection([]byte(doc), "B")
	var no *prose.NoSection
	if !errors.As(err, &no) || len(no.Same) != 2 || no.Same[0].Line != 6 || no.Same[1].Line != 9 {
		t.Errorf("got %v, %+v", err, no)
	}
}

// The line of a section is that of the file, above the block and below it.
func TestLineOfASection(t *testing.T) {
	doc := "---\nid: pf-1\n---\n## A\na\n" + one + "\n## B\nb\n"
	for name, want := range map[string]string{"A": "a", "B": "b"} {
		at, text, err := FindSection([]byte(doc), name)
		if err != nil || strings.TrimSpace(text) != want || strings.Split(doc, "\n")[at.Line-1] != "## "+name {
			t.Errorf("%s: %q at line %d (%s), %v", name, text, at.Line, strings.Split(doc, "\n")[at.Line-1], err)
		}
	}
}
