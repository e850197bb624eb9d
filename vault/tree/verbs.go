package tree

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Verb is a verb in the table of those that are known by name: to the lines of a batch,
// and to the outbox.
type Verb struct {
	Name    string
	Options any // a struct of which the tags say the options, see package options

	Line  func(options []byte) (Line, error) // the verb with its options
	Waits func() vault.Verb[vault.Delivered] // with empty options, which take up JSON; nil if it never waits in the outbox
}

// NewVerb makes a row of the table: a verb whose options are those of its struct.
func NewVerb[V vault.Verb[R], R Outcome](empty V) Verb {
	return Verb{Name: empty.Name(), Options: empty, Line: Options(empty)}
}

// Waiting is the same row, of a verb that may wait in the outbox.
func (v Verb) Waiting(queued func() vault.Verb[vault.Delivered]) Verb {
	v.Waits = queued
	return v
}

// Verbs is the table of the room's verbs.
func Verbs() []Verb {
	return []Verb{
		{Name: Add{}.Name(), Options: Add{}, Line: addition, Waits: func() vault.Verb[vault.Delivered] { return new(queuedAdd) }},
		NewVerb(AddSub{}).Waiting(func() vault.Verb[vault.Delivered] { return new(queuedSub) }),
		NewVerb(AddParent{}), NewVerb(Amend{}), NewVerb(Supersede{}), NewVerb(Move{}), NewVerb(Delete{}),
	}
}

// Deliverable are the verbs that may wait in the outbox, for [vault.Vault]: those of this
// room, and more.
func Deliverable(more ...Verb) map[string]func() vault.Verb[vault.Delivered] {
	all := make(map[string]func() vault.Verb[vault.Delivered])
	for _, v := range append(Verbs(), more...) {
		if v.Waits != nil {
			all[v.Name] = v.Waits
		}
	}
	return all
}

// Line is a verb that is one write of a batch.
type Line = vault.Verb[BatchRow]

// Outcome is what a verb answers that can be a line.
type Outcome interface{ Row() BatchRow }

// LineOf makes a line of a verb.
func LineOf[R Outcome](v vault.Verb[R]) Line { return line[R]{v} }

// Options returns what reads a verb as a line: the options that are not set yet.
func Options[V vault.Verb[R], R Outcome](set V) func([]byte) (Line, error) {
	return func(text []byte) (Line, error) {
		v := set
		err := json.Unmarshal(text, &v)
		return LineOf(vault.Verb[R](v)), err
	}
}

// addition reads an Add. Its text may be called body, as that of the other verbs is.
func addition(text []byte) (Line, error) {
	var o struct {
		Add
		Body *string `json:"body"`
	}
	err := json.Unmarshal(text, &o)
	switch {
	case o.Body != nil && o.Text != "":
		return nil, vault.Errorf(vault.CodeInvalid, "", "text and body are one thing: give one of them")
	case o.Body != nil:
		o.Text = *o.Body
	}
	return LineOf(o.Add), err
}

type line[R Outcome] struct{ vault.Verb[R] }

// Plan plans the verb.
func (l line[R]) Plan(ctx context.Context, tx *vault.Tx) (BatchRow, error) {
	out, err := l.Verb.Plan(ctx, tx)
	row := out.Row()
	row.Verb = l.Name()
	return row, err
}

// Row is the outcome in a batch.
func (a Added) Row() BatchRow {
	row := BatchRow{ID: a.ID, Title: a.Title, Path: a.Path, ParentID: a.ParentID, Warnings: slices.Concat(a.Warnings, deep(a.depth), wordy(a.Summary)), Drawn: !a.Duplicate}
	if a.Duplicate {
		row.Unchanged, row.Warnings = true, append(a.Warnings, a.Already())
	}
	return row
}

// Row is the outcome in a batch.
func (p Parented) Row() BatchRow {
	return BatchRow{ID: p.ID, Title: p.Title, Path: p.Path, ParentID: p.ParentID, Warnings: p.Warnings, Drawn: true}
}

// Row is the outcome in a batch.
func (a Amended) Row() BatchRow {
	return BatchRow{ID: a.ID, Title: a.Title, Path: a.Path, Unchanged: a.Unchanged, Warnings: a.Warnings}
}

// Row is the outcome in a batch.
func (m Moved) Row() BatchRow {
	row := BatchRow{ID: m.ID, Title: m.Title, Path: m.Path, Unchanged: m.Unchanged, Warnings: m.Warnings, Relinked: m.Relinked}
	if m.NewParent != nil {
		row.ParentID = *m.NewParent
	}
	return row
}

// Row is the outcome in a batch. It tells of the target alone.
func (d Deleted) Row() BatchRow {
	row := BatchRow{Title: d.Title, Path: d.Path, Warnings: d.Warnings}
	if len(d.IDs) > 0 {
		row.ID = d.IDs[0]
	}
	return row
}

// Row is the outcome in a batch: the memory that was replaced.
func (s Superseded) Row() BatchRow {
	return BatchRow{ID: s.Old, Title: s.OldTitle, Path: s.Path, Unchanged: s.Unchanged, Warnings: s.Warnings}
}
