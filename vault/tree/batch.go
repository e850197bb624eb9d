package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/secret"
)

// Batch is many writes under one lock and in one commit: all of them, or none.
type Batch struct {
	Lines  []BatchLine
	DryRun bool   // plan, change nothing
	Verb   string // that all lines are; empty for any

	AllowSecret bool // commit also what looks like a credential

	part string // in which the vault's new memories belong, see [vault.Tx.InPart]
}

// BatchLine is one write of a batch. In place of a memory it may name "$key", the memory
// of an earlier line with that key, or "$3", the memory of line 3.
type BatchLine struct {
	Number int    // of the line it was read from, for errors; counted from 1
	Key    string // what later lines call the memory; may be empty
	Verb   Line
	Texts  []string // all that it says, to name the line that holds a credential
	Names  []string // of the memories that it is about, but for those of earlier lines
}

// Names returns the memories that the lines are about.
func (o Batch) Names() (all []string) {
	for _, l := range o.Lines {
		all = append(all, l.Names...)
	}
	return all
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

	Relinked // by a move

	Drawn bool `json:"-"` // the id is new
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
	o.part = v.Part
	out, r, err := vault.Do(ctx, v, o, vault.Options{DryRun: o.DryRun, AllowSecret: o.AllowSecret})
	if o.DryRun {
		out.forgetIDs()
	}
	out.Notes = r.Notes
	return out, o.atSecret(out.atTyped(err))
}

// Name is the verb's.
func (o Batch) Name() string { return cmp.Or(o.Verb, "batch") }

// Plan plans the lines one after the other, on what the ones before leave.
func (o Batch) Plan(ctx context.Context, tx *vault.Tx) (out Batched, err error) {
	tx.Call("", "")
	tx.InPart(o.part)
	for _, l := range o.Lines {
		row, err := l.Verb.Plan(ctx, tx)
		if err != nil {
			return Batched{}, atLine(l.Number, err)
		}
		row.Line, row.Key = l.Number, l.Key
		tx.Call(strconv.Itoa(l.Number), row.ID)
		tx.Call(l.Key, row.ID)
		out.Rows = append(out.Rows, row)
	}
	tx.About("", vault.Plural(len(o.Lines), "line", "lines"))
	return out, nil
}

// atLine says in which line an error was met.
func atLine(n int, err error) error {
	var e *vault.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	return &vault.Error{Code: e.Code, Hint: e.Hint, Msg: fmt.Sprintf("line %d: %v", n, err), Err: err}
}

// atTyped names the line that would replace what somebody has typed, or change what is protected.
func (b *Batched) atTyped(err error) error {
	var e *vault.Error
	if !errors.As(err, &e) || e.Code != vault.CodeDirty && e.Code != vault.CodeProtected {
		return err
	}
	for _, row := range slices.Backward(b.Rows) {
		if !row.Drawn && string(row.Path) == e.Path {
			return atLine(row.Line, err)
		}
	}
	return err
}

// atSecret names the line whose text holds the credential for which the batch was refused.
// If the credential is in a file that a line brings into the vault, the error names that
// file already.
func (o *Batch) atSecret(err error) error {
	if vault.CodeOf(err) != vault.CodeSecret {
		return err
	}
	for _, l := range o.Lines {
		for _, text := range l.Texts {
			if found := secret.FindCredentials([]byte(text)); len(found) > 0 {
				f := found[0]
				return vault.Errorf(vault.CodeSecret, vault.SecretHint, "line %d: line %d of the text of the %s looks like %s; a commit would keep it for ever, so nothing was written",
					l.Number, f.Line, l.Verb.Name(), f.String([]byte(text)))
			}
		}
	}
	return err
}

// forgetIDs drops the ids that were drawn for a plan which was not carried out.
func (b *Batched) forgetIDs() {
	drawn := make(map[vault.ID]bool)
	for _, r := range b.Rows {
		drawn[r.ID] = drawn[r.ID] || r.Drawn
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
