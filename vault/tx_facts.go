package vault

import (
	"bytes"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault/fact"
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
	{AttributesFile, []string{MergeLine(string(FactsDir) + "/**")}},
}

// MergeLine is the line of AttributesFile by which git has cp merge the files of a pattern.
func MergeLine(pattern string) string { return pattern + " merge=cp-memory" }

// Attribute says that the commit adds a line to AttributesFile, if HEAD has that file without it.
func (tx *Tx) Attribute(line string) { tx.attributes = append(tx.attributes, line) }

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
	facts := tx.facts || slices.ContainsFunc(c.Edits, writes)
	for _, f := range factsLines {
		if !facts {
			f.lines = nil
		}
		if f.file == AttributesFile {
			f.lines = append(slices.Clip(f.lines), tx.attributes...)
		}
		if len(f.lines) == 0 {
			continue
		}
		text, held, err := tx.ReadCommitted(ctx, f.file)
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

// FactsPath returns the place of a memory's facts.
func FactsPath(id ID) Path { return Path(fact.Path(string(id))) }

// Facts returns the text of a facts file, as it is on disk or planned; nil where there is none.
func (tx *Tx) Facts(ctx context.Context, p Path) ([]byte, error) {
	if text, planned := tx.factsAt[p]; planned {
		return text, nil
	}
	there, err := tx.onDisk(ctx, p)
	if err != nil || !there.File {
		return nil, err
	}
	return tx.Read(p)
}

// SetFacts plans that what a facts file says comes from was, what [Tx.Facts] told or
// an earlier commit held, to text; nil is no file. Entries that a person has typed there stay,
// uncommitted where they are in no commit. Whoever removes a file asks [Tx.Clean] first.
func (tx *Tx) SetFacts(ctx context.Context, p Path, was, text []byte) error {
	now, err := tx.Facts(ctx, p)
	if err != nil || bytes.Equal(now, text) && (now == nil) == (text == nil) {
		return err
	}
	e := tx.editAt(p)
	switch made := e.Create != nil; {
	case text == nil && made:
		delete(tx.edits, p)
		tx.order = slices.DeleteFunc(tx.order, func(o *Edit) bool { return o == e })
	case text == nil:
		*e = Edit{Path: p, Remove: true}
	case now == nil && e.Remove: // planned to go, and back again
		*e = Edit{Path: p, Steps: []Step{{Op: OpFacts, Text: string(text), Value: string(was)}}}
	case now == nil || made:
		e.Create = text
	default:
		e.Adopt, e.Steps = true, append(e.Steps, Step{Op: OpFacts, Text: string(text), Value: string(was)})
	}
	if tx.factsAt == nil {
		tx.factsAt = make(map[Path][]byte)
	}
	tx.factsAt[p] = text
	return nil
}
