package vault

import (
	"context"
	"slices"
)

// Git sees a facts file, and calls the merge driver for it, where two files of the vault say
// so. Vaults that were made before there were facts lack the lines. So the first commit of a
// facts file adds them, and a pass of sync over a vault that holds facts already.

// The files in which a vault tells git of itself.
const (
	IgnoreFile     Path = ".cp/.gitignore"
	AttributesFile Path = ".gitattributes"
)

// factsLines are the lines of those files that are about facts. In IgnoreFile they stand
// behind a line that ignores all; the first alone would leave what is in the folder ignored.
var factsLines = []struct {
	file  Path
	lines []string
}{
	{IgnoreFile, []string{"!facts/", "!facts/**"}},
	{AttributesFile, []string{string(FactsDir) + "/** merge=cp-memory"}},
}

// FactsLines returns the lines about facts of one of the files.
func FactsLines(file Path) []string {
	for _, f := range factsLines {
		if f.file == file {
			return slices.Clone(f.lines)
		}
	}
	return nil
}

// AdmitFacts says that the vault holds facts: the commit adds the lines that git needs for
// them, even if it is about nothing else. It reports whether some are missing.
func (tx *Tx) AdmitFacts(ctx context.Context) (missing bool, err error) {
	tx.facts = true
	var c Change
	err = tx.admitFacts(ctx, &c)
	return len(c.Edits) > 0, err
}

// admitFacts adds to a change that writes facts the lines that git needs for them, in the
// files that HEAD has and that lack them. What else a person has typed there stays uncommitted.
func (tx *Tx) admitFacts(ctx context.Context, c *Change) error {
	writes := func(e Edit) bool { return !e.Remove && e.target().IsFacts() }
	if !tx.facts && !slices.ContainsFunc(c.Edits, writes) {
		return nil
	}
	for _, f := range factsLines {
		text, held, err := tx.Committed(ctx, f.file)
		if err != nil {
			return err
		}
		var steps []Step
		for _, line := range f.lines {
			if step := (Step{Op: OpAddLine, Text: line}); held && !step.Done(text) {
				steps = append(steps, step)
			}
		}
		if len(steps) > 0 {
			c.Edits = append(c.Edits, Edit{Path: f.file, Steps: steps})
		}
	}
	return nil
}
