package vault

import (
	"context"
	"fmt"
	"strings"
)

// A phrase that a model wrote is kept with the content it was written for, in
// the child's front matter, so that it can be found out later that the text has
// changed since, in every clone and without the index:
//
//	summary: If deploy succeeds but service unchanged
//	summary_of: 5f1c09aa37be
//
// A person's phrase has no such key: they knew what they wrote it about.

// summaryOfLen is how many hex digits of a ContentHash the key holds.
const summaryOfLen = 12

// ByModel notes that a model wrote the phrase of a memory that is to be rendered,
// for the title and the prose it has.
func (m *Memory) ByModel() {
	text, err := Render(&Memory{Title: m.Title, Prose: m.Prose})
	if err != nil {
		return // and the write fails by itself
	}
	m.SummaryOf = Parse("x.md", text).ContentHash()[:summaryOfLen]
}

// Phraseless reports whether a memory has no trigger phrase, or what stands for
// none in its parent's block.
func (n *Node) Phraseless() bool { return n.Summary == "" || n.Summary == Placeholder }

// Outdated reports whether a model wrote the phrase for another text than the
// memory has now.
func (n *Node) Outdated() bool {
	return n.SummaryOf != "" && !strings.HasPrefix(n.Content, n.SummaryOf)
}

// Text reads a memory's file without counting the reading.
func (v *Vault) Text(ctx context.Context, ref string) (Node, *Memory, error) {
	p, err := v.Reading().OpenMemory(ctx, ref)
	if err != nil {
		return Node{}, nil, err
	}
	return p.Node, p.Mem, nil
}

// Phrase is a trigger phrase for one memory.
type Phrase struct {
	Path    Path
	ID      ID
	Summary string
	Content string // the ContentHash that a model wrote it for; empty for a person's
}

// Phrases writes trigger phrases.
type Phrases struct{ All []Phrase }

// Phrased is what became of one of them: Err is nil when it is written.
type Phrased struct {
	ID    ID // which a hand-made file got only now
	Title string
	Path  Path
	Same  bool // the files say it already
	Err   error
}

// Summarize writes the phrases into the memories and their parents' blocks, all
// in one commit. The outcome has a row for each, in the same order: one that
// cannot be written, for its text has changed since or its file is damaged,
// does not keep back the others.
func (v *Vault) Summarize(ctx context.Context, o Phrases) ([]Phrased, Receipt, error) {
	return Do(ctx, v, o, Options{})
}

// Name is the verb's.
func (o Phrases) Name() string { return "summarize" }

// Plan writes each phrase into its memory and the parent's block.
func (o Phrases) Plan(ctx context.Context, tx *Tx) ([]Phrased, error) {
	for _, p := range o.All {
		if err := CheckLine("trigger phrase", p.Summary); err != nil {
			return nil, err
		}
	}
	rows := make([]Phrased, len(o.All))
	for i, one := range o.All {
		rows[i] = one.plan(ctx, tx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	aboutPhrases(tx, rows)
	return rows, nil
}

// aboutPhrases names the commit after what is written: a single memory, or how many.
func aboutPhrases(tx *Tx, rows []Phrased) {
	var last Phrased
	var note strings.Builder
	n := 0
	for _, r := range rows {
		if r.Err == nil && !r.Same {
			n++
			last = r
			note.WriteString(string(r.ID) + " " + r.Title + "\n")
		}
	}
	if n > 1 {
		tx.About("", fmt.Sprintf("%d memories", n))
		tx.Note(note.String())
		return
	}
	tx.About(last.ID, last.Title)
}

// plan writes one phrase: the child's keys and, below a parent, its entry there.
func (o Phrase) plan(ctx context.Context, tx *Tx) Phrased {
	row := Phrased{ID: o.ID, Path: o.Path}
	p, err := tx.OpenMemory(ctx, o.ref())
	if err == nil {
		row.ID, row.Title, row.Path = p.ID, p.Title, p.Path
		err = p.phrasable(o)
	}
	if err != nil {
		row.Err = err
		return row
	}
	changed, err := tx.Amend(ctx, p, o.steps()...)
	row.ID, row.Same, row.Err = p.ID, err == nil && !changed, err
	return row
}

// ref is how a memory is found again: a hand-made file by its path.
func (o Phrase) ref() string {
	if o.ID == "" || o.ID.Provisional() {
		return string(o.Path)
	}
	return string(o.ID)
}

func (o Phrase) steps() []Step {
	of := Step{Op: OpDropKey, Key: "summary_of"}
	if o.Content != "" {
		of = Step{Op: OpSetKey, Key: "summary_of", Value: o.Content[:min(len(o.Content), summaryOfLen)]}
	}
	return []Step{{Op: OpSetKey, Key: "summary", Value: o.Summary}, of}
}

// phrasable refuses a file that cannot be edited, and a phrase for another text.
func (p *Doc) phrasable(o Phrase) error {
	if err := p.Editable(); err != nil {
		return err
	}
	if o.Content != "" && p.Mem.ContentHash() != o.Content {
		return Errorf(CodeConflict, "run cp memory summarize "+string(p.ID)+" again", "%s has changed while its phrase was being written", p.ID)
	}
	return nil
}
