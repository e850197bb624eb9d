package tree

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Batch is many writes under one lock and in one commit: all of them, or none.
type Batch struct {
	Lines  []BatchLine
	DryRun bool // plan, change nothing

	AllowSecret bool // commit also what looks like a credential
}

// BatchLine is one write of a batch: exactly one of the three verbs. In place of a memory
// a verb may name "$key", the memory of an earlier line with that key, or "$3", the memory
// of line 3.
type BatchLine struct {
	Number int    // of the line it was read from, for errors; counted from 1
	Key    string // what later lines call the memory; may be empty
	Add    *Add
	AddSub *AddSub
	Amend  *Amend
}

// BatchRow is the outcome of one line.
type BatchRow struct {
	Line      int        `json:"line"`
	Verb      string     `json:"verb"`
	Key       string     `json:"key,omitempty"`
	ID        vault.ID   `json:"id,omitempty"` // empty for what a dry run would create
	Title     string     `json:"title"`
	Path      vault.Path `json:"path"`
	ParentID  vault.ID   `json:"parent_id,omitempty"`
	Unchanged bool       `json:"unchanged,omitempty"`
	Warnings  []string   `json:"warnings,omitempty"`
}

// Batched is the outcome of a batch: a row for each line, in order.
type Batched struct {
	Rows  []BatchRow
	Notes []string
}

// Do makes all the writes in one commit. Each line sees the effects of those before it. If
// a line cannot be done nothing is written; the error is the verb's own and names the
// line. While the repository is busy nothing goes to the outbox: the error is CodeBusy.
func (o Batch) Do(ctx context.Context, v *vault.Vault) (Batched, error) {
	out, r, err := vault.Do(ctx, v, o, vault.Options{DryRun: o.DryRun, AllowSecret: o.AllowSecret})
	if o.DryRun {
		out.forgetIDs()
	}
	out.Notes = r.Notes
	return out, o.atSecret(out.atTyped(err))
}

// atTyped names the line that would replace what somebody has typed.
func (b *Batched) atTyped(err error) error {
	var e *vault.Error
	if !errors.As(err, &e) || e.Code != vault.CodeDirty {
		return err
	}
	for _, row := range slices.Backward(b.Rows) {
		if row.Verb == "update" && string(row.Path) == e.Path {
			return atLine(row.Line, err)
		}
	}
	return err
}

// Name is the verb's.
func (o Batch) Name() string { return "batch" }

// Plan plans the lines one after the other, on what the ones before leave.
func (o Batch) Plan(ctx context.Context, tx *vault.Tx) (out Batched, err error) {
	for i := range o.Lines { // all of them before the first file is opened
		if err := o.Lines[i].check(); err != nil {
			return out, atLine(o.Lines[i].Number, err)
		}
	}
	called := make(lineNames)
	for _, l := range o.Lines {
		row, err := l.plan(ctx, tx, called)
		if err != nil {
			return Batched{}, atLine(l.Number, err)
		}
		row.Line, row.Key = l.Number, l.Key
		called.name(&l, row.ID)
		out.Rows = append(out.Rows, row)
	}
	tx.About("", vault.Plural(len(o.Lines), "line", "lines"))
	return out, nil
}

// check makes the verb's checks that need no vault.
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
	var e *vault.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	return &vault.Error{Code: e.Code, Hint: e.Hint, Msg: fmt.Sprintf("line %d: %v", n, err), Err: err}
}

// forgetIDs drops the ids that were drawn for a plan which was not carried out.
func (b *Batched) forgetIDs() {
	drawn := make(map[vault.ID]bool)
	for i := range b.Rows {
		if r := &b.Rows[i]; r.Verb != "update" {
			drawn[r.ID] = true
			r.ID = ""
		}
	}
	for i := range b.Rows {
		r := &b.Rows[i]
		for _, id := range []*vault.ID{&r.ID, &r.ParentID} {
			if drawn[*id] {
				*id = ""
			}
		}
	}
}

// plan plans one line.
func (l *BatchLine) plan(ctx context.Context, tx *vault.Tx, called lineNames) (BatchRow, error) {
	switch {
	case l.Add != nil:
		return l.planAdd(ctx, tx, called)
	case l.AddSub != nil:
		return l.planAddSub(ctx, tx, called)
	}
	return l.planAmend(ctx, tx, called)
}

func (l *BatchLine) planAdd(ctx context.Context, tx *vault.Tx, called lineNames) (row BatchRow, err error) {
	o := *l.Add
	o.References = slices.Clone(o.References)
	for i, ref := range o.References {
		if o.References[i], err = called.resolve(ref); err != nil {
			return row, err
		}
	}
	out, err := o.Plan(ctx, tx)
	return BatchRow{Verb: o.Name(), ID: out.ID, Title: out.Title, Path: out.Path, Warnings: append(out.Warnings, wordy(o.Summary)...)}, err
}

func (l *BatchLine) planAddSub(ctx context.Context, tx *vault.Tx, called lineNames) (row BatchRow, err error) {
	o := *l.AddSub
	if o.Parent, err = called.resolve(o.Parent); err != nil {
		return row, err
	}
	out, err := o.Plan(ctx, tx)
	return BatchRow{Verb: o.Name(), ID: out.ID, Title: out.Title, Path: out.Path, ParentID: out.ParentID, Warnings: append(deep(out.depth), wordy(o.Summary)...)}, err
}

func (l *BatchLine) planAmend(ctx context.Context, tx *vault.Tx, called lineNames) (row BatchRow, err error) {
	o := *l.Amend
	if o.Ref, err = called.resolve(o.Ref); err != nil {
		return row, err
	}
	out, err := o.Plan(ctx, tx)
	return BatchRow{Verb: "update", ID: out.ID, Title: out.Title, Path: out.Path, Unchanged: out.Unchanged, Warnings: o.warnings()}, err
}

// lineNames maps the key or number of a line to its memory, for later lines.
type lineNames map[string]vault.ID

func (n lineNames) name(l *BatchLine, id vault.ID) {
	n[strconv.Itoa(l.Number)] = id
	if l.Key != "" {
		n[l.Key] = id
	}
}

// resolve returns the id for "$key" or "$3", and any other reference itself.
func (n lineNames) resolve(ref string) (string, error) {
	key, ok := strings.CutPrefix(ref, "$")
	if !ok {
		return ref, nil
	}
	if id, ok := n[key]; ok {
		return string(id), nil
	}
	return "", vault.Errorf(vault.CodeInvalid, "give the earlier line a \"key\", or name it by its number, as in \"$1\"", "'%s' is no earlier line's memory", vault.Clip(ref, 80))
}
