package vault

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Batch is many writes under one lock and in one commit: all of them, or none.
type Batch struct {
	Lines  []BatchLine
	DryRun bool // plan, change nothing

	AllowSecret bool // commit also what looks like a credential
}

// BatchLine is one write of a batch: exactly one of the three verbs. Where a verb
// names a memory, "$key" is the memory of an earlier line that has the key, and "$3"
// that of line 3.
type BatchLine struct {
	Number int    // of the line it was read from, for errors; counted from 1
	Key    string // what later lines call the memory; may be empty
	Add    *Add
	AddSub *AddSub
	Amend  *Amend
}

// BatchRow is the outcome of one line.
type BatchRow struct {
	Line      int      `json:"line"`
	Verb      string   `json:"verb"`
	Key       string   `json:"key,omitempty"`
	ID        ID       `json:"id,omitempty"` // empty for what a dry run would create
	Title     string   `json:"title"`
	Path      Path     `json:"path"`
	ParentID  ID       `json:"parent_id,omitempty"`
	Unchanged bool     `json:"unchanged,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
}

// Batched is the outcome of a batch: a row for each line, in order.
type Batched struct {
	Rows  []BatchRow
	Notes []string
}

// Batch makes all the writes in one commit. Each line sees what those before it
// do. The first line that cannot be done is named in the error, which is the
// verb's own, and then nothing is written. While the repository is busy nothing
// goes to the outbox: the error is CodeBusy.
func (v *Vault) Batch(ctx context.Context, o Batch) (Batched, error) {
	for i := range o.Lines {
		if err := o.Lines[i].check(); err != nil {
			return Batched{}, atLine(o.Lines[i].Number, err)
		}
	}
	var out Batched
	plan := func(ctx context.Context, t Tree) (*Change, error) {
		out = Batched{}
		c, err := v.planBatch(ctx, t, o.Lines, &out)
		if c != nil {
			c.AllowSecret = o.AllowSecret
		}
		return c, err
	}
	if o.DryRun {
		_, err := v.plan(ctx, Scope{None: true}, plan)
		out.forgetIDs()
		return out, o.atSecret(err)
	}
	r, err := v.Update(ctx, "batch", Scope{None: true}, plan)
	out.Notes = r.Notes
	return out, o.atSecret(err)
}

// check is what the verb checks before anything is opened.
func (l *BatchLine) check() error {
	switch {
	case l.Add != nil:
		return l.Add.check()
	case l.AddSub != nil:
		return l.AddSub.check()
	}
	return l.Amend.validate()
}

// atLine says in which line an error was met.
func atLine(n int, err error) error {
	var e *Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	return &Error{Code: e.Code, Hint: e.Hint, Msg: fmt.Sprintf("line %d: %v", n, err), Err: err}
}

// forgetIDs drops the ids that were drawn for a plan which was not carried out.
func (b *Batched) forgetIDs() {
	drawn := make(map[ID]bool)
	for i := range b.Rows {
		if r := &b.Rows[i]; r.Verb != "update" {
			drawn[r.ID] = true
			r.ID = ""
		}
	}
	for i := range b.Rows {
		r := &b.Rows[i]
		for _, id := range []*ID{&r.ID, &r.ParentID} {
			if drawn[*id] {
				*id = ""
			}
		}
	}
}

// planBatch plans the lines one after the other, on what the ones before leave.
func (v *Vault) planBatch(ctx context.Context, t Tree, lines []BatchLine, out *Batched) (*Change, error) {
	w := *v
	w.staged = newStaged()
	for _, l := range lines {
		row, err := w.planLine(ctx, t, l)
		if err != nil {
			return nil, atLine(l.Number, err)
		}
		row.Line, row.Key = l.Number, l.Key
		w.staged.name(l, row.ID)
		out.Rows = append(out.Rows, row)
	}
	edits, err := w.staged.edits()
	return &Change{Verb: "batch", Title: plural(len(lines), "line", "lines"), Edits: edits}, err
}

func (v *Vault) planLine(ctx context.Context, t Tree, l BatchLine) (BatchRow, error) {
	switch {
	case l.Add != nil:
		return v.planLineAdd(ctx, t, *l.Add)
	case l.AddSub != nil:
		return v.planLineAddSub(ctx, t, *l.AddSub)
	}
	return v.planLineAmend(ctx, t, *l.Amend)
}

func (v *Vault) planLineAdd(ctx context.Context, t Tree, o Add) (BatchRow, error) {
	refs := make([]string, len(o.References))
	for i, ref := range o.References {
		var err error
		if refs[i], err = v.staged.resolve(ref); err != nil {
			return BatchRow{}, err
		}
	}
	o.References = refs
	if err := v.stamp(ctx, t, &o.ID, &o.Created); err != nil {
		return BatchRow{}, err
	}
	out := Added{ID: o.ID, Title: o.Title}
	change, err := v.planAdd(ctx, t, o, &out)
	if err != nil {
		return BatchRow{}, err
	}
	row := BatchRow{Verb: "add", ID: o.ID, Title: o.Title, Path: out.Path, Warnings: append(out.Warnings, wordy(o.Summary)...)}
	return row, v.staged.absorb(change, Node{ID: o.ID})
}

func (v *Vault) planLineAddSub(ctx context.Context, t Tree, o AddSub) (row BatchRow, err error) {
	if o.Parent, err = v.staged.resolve(o.Parent); err != nil {
		return row, err
	}
	if err := v.stamp(ctx, t, &o.ID, &o.Created); err != nil {
		return row, err
	}
	out := Added{ID: o.ID, Title: o.Title}
	change, err := v.planAddSub(ctx, t, o, &out)
	if err != nil {
		return row, err
	}
	parent := v.staged.files[change.Edits[1].Path].pinned
	row = BatchRow{Verb: "add-sub", ID: o.ID, Title: o.Title, Path: out.Path, ParentID: out.ParentID, Warnings: wordy(o.Summary)}
	return row, v.staged.absorb(change, Node{ID: o.ID, Parent: parent.ID, ParentTitle: parent.Title, Depth: parent.Depth + 1})
}

func (v *Vault) planLineAmend(ctx context.Context, t Tree, o Amend) (row BatchRow, err error) {
	if o.Ref, err = v.staged.resolve(o.Ref); err != nil {
		return row, err
	}
	p, err := v.pinMemory(ctx, t, o.Ref)
	if err != nil {
		return row, err
	}
	if err := v.staged.files[p.Path].settle(); err != nil {
		return row, p.at(err)
	}
	var out Amended
	change, err := v.planAmend(ctx, t, o, &out)
	if err != nil {
		return row, err
	}
	row = BatchRow{Verb: "update", ID: out.ID, Title: out.Title, Path: out.Path, Unchanged: out.Unchanged, Warnings: o.warnings()}
	return row, v.staged.absorb(change, p.Node)
}

// warnings are those about what is to be set.
func (o *Amend) warnings() (all []string) {
	if o.Summary != nil {
		all = wordy(*o.Summary)
	}
	if o.Status != nil {
		all = append(all, unusual(*o.Status)...)
	}
	return all
}

// resolve returns the reference that "$key" or "$3" stands for; any other is itself.
func (s *staged) resolve(ref string) (string, error) {
	key, ok := strings.CutPrefix(ref, "$")
	if !ok {
		return ref, nil
	}
	if id, ok := s.keys[key]; ok {
		return string(id), nil
	}
	return "", Errorf(CodeInvalid, "give the earlier line a \"key\", or name it by its number, as in \"$1\"", "'%s' is no earlier line's memory", clip(ref, 80))
}
