package phrase

import (
	"context"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// entry is a trigger phrase for one memory.
type entry struct {
	Path    vault.Path
	ID      vault.ID
	Summary string
	Content string // the ContentHash that a model wrote it for; empty for a person's
}

// write writes phrases into the memories and their parents' blocks, all in one
// commit. The outcome has a row for each, in the same order: one that cannot be
// written, for its text has changed since or its file is damaged, does not keep
// back the others.
type write struct{ all []entry }

// wrote is the outcome for a phrase. err is nil if it is written.
type wrote struct {
	id    vault.ID // which a hand-made file got only now
	title string
	same  bool // the files say it already
	err   error
}

// Name is the verb's.
func (o write) Name() string { return "summarize" }

// Plan writes each phrase into its memory and the parent's block.
func (o write) Plan(ctx context.Context, tx *vault.Tx) ([]wrote, error) {
	for _, p := range o.all {
		if err := vault.CheckLine("trigger phrase", p.Summary); err != nil {
			return nil, err
		}
	}
	rows := make([]wrote, len(o.all))
	for i, one := range o.all {
		rows[i] = one.planPhrase(ctx, tx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	aboutPhrases(tx, rows)
	return rows, nil
}

// aboutPhrases names the commit after what is written: a single memory, or how many.
func aboutPhrases(tx *vault.Tx, rows []wrote) {
	var last wrote
	var note strings.Builder
	n := 0
	for _, r := range rows {
		if r.err == nil && !r.same {
			n++
			last = r
			note.WriteString(string(r.id) + " " + r.title + "\n")
		}
	}
	if n > 1 {
		tx.About("", fmt.Sprintf("%d memories", n))
		tx.Note(note.String())
		return
	}
	tx.About(last.id, last.title)
}

// planPhrase writes one phrase: the child's keys and, below a parent, its entry there.
func (o entry) planPhrase(ctx context.Context, tx *vault.Tx) wrote {
	row := wrote{id: o.ID}
	p, err := tx.OpenMemory(ctx, reference(o.ID, o.Path))
	if err == nil {
		row.id, row.title = p.ID, p.Title
		err = phrasable(p, o)
	}
	if err != nil {
		row.err = err
		return row
	}
	changed, err := tx.Amend(ctx, p, vault.SetPhrase(o.Summary, o.Content)...)
	row.id, row.same, row.err = p.ID, err == nil && !changed, err
	return row
}

// phrasable refuses a file that cannot be edited, and a phrase for another text.
func phrasable(p *vault.Doc, o entry) error {
	if err := p.Editable(); err != nil {
		return err
	}
	if o.Content != "" && p.Mem.ContentHash() != o.Content {
		return vault.Errorf(vault.CodeConflict, "run cp memory summarize "+string(p.ID)+" again", "%s has changed while its phrase was being written", p.ID)
	}
	return nil
}
