package notes

import (
	"context"
	"crypto/sha256"

	"bytes"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// Import brings notes into the journal in one commit.
type Import struct {
	Notes  []Note
	DryRun bool // report, change nothing

	AllowSecret bool // commit also what looks like a credential
}

// What Import did with a note. They are promises: add, never change.
const (
	Imported  = "imported"
	Unchanged = "unchanged" // it was imported before
	Skipped   = "skipped"   // it cannot be read, or not be kept; the reason says why
)

// Row tells what happened to one note.
type Row struct {
	Ref    string     `json:"ref"`
	Commit string     `json:"commit"`
	N      int        `json:"n"` // which of the notes of its ref and commit, from 1
	Action string     `json:"action"`
	ID     vault.ID   `json:"id,omitempty"`
	Title  string     `json:"title,omitempty"`
	Path   vault.Path `json:"path,omitempty"`
	Reason string     `json:"reason,omitempty"`
	Hint   string     `json:"recovery,omitempty"`
}

// Outcome is the outcome of Import.
type Outcome struct {
	Rows      []Row    `json:"notes"`
	Imported  int      `json:"imported"`
	Unchanged int      `json:"unchanged"`
	Skipped   int      `json:"skipped"`
	DryRun    bool     `json:"dry_run,omitempty"`
	Warnings  []string `json:"-"`
}

// Do brings the notes in. Those that are there already stay as they are, whatever has
// become of them here.
func (o Import) Do(ctx context.Context, v *vault.Vault) (Outcome, error) {
	out, r, err := vault.Do(ctx, v, o, vault.Options{DryRun: o.DryRun, AllowSecret: o.AllowSecret})
	out.DryRun, out.Warnings = o.DryRun, append(out.Warnings, r.Notes...)
	return out, err
}

// Name is the verb's.
func (o Import) Name() string { return "import" }

// Plan makes an entry of each note that is not there.
func (o Import) Plan(ctx context.Context, tx *vault.Tx) (Outcome, error) {
	out := Outcome{Rows: []Row{}}
	for i := range o.Notes {
		n := &o.Notes[i]
		row, err := n.plan(ctx, tx)
		if err != nil {
			return out, err
		}
		row.Ref, row.Commit, row.N, row.Title = n.Ref, n.Commit, n.N, n.Header.Title
		switch row.Action {
		case Imported:
			out.Imported++
		case Unchanged:
			out.Unchanged++
		default:
			out.Skipped++
		}
		out.Rows = append(out.Rows, row)
	}
	tx.About("", vault.Plural(out.Imported, "git note", "git notes"))
	return out, nil
}

// plan makes an entry of the note.
func (n *Note) plan(ctx context.Context, tx *vault.Tx) (Row, error) {
	if n.Err != nil {
		return refused(n.Err), nil
	}
	if err := journal.CheckBody(n.Body); err != nil {
		return refused(err), nil
	}
	id, err := n.ID(tx.Prefix())
	if err != nil {
		return Row{}, err
	}
	d, err := tx.Peek(ctx, string(id))
	switch {
	case err == nil:
		return Row{Action: Unchanged, ID: id, Path: d.Path}, nil
	case vault.CodeOf(err) != vault.CodeNotFound:
		return Row{}, err
	}
	m := &vault.Memory{ID: id, Header: n.Header, References: n.Refs, Prose: n.Body}
	p, err := journal.Enter(ctx, tx, m, "")
	return Row{Action: Imported, ID: id, Path: p}, err
}

// refused is the row of a note that does not come in.
func refused(err error) Row {
	row := Row{Action: Skipped, Reason: err.Error()}
	if e, ok := err.(*vault.Error); ok { //nolint:errorlint // the errors are made here
		row.Hint = e.Hint
	}
	return row
}

// ID returns the id of the note's entry. It follows from the note's place, so every clone
// draws the same.
func (n *Note) ID(prefix string) (vault.ID, error) {
	sum := sha256.Sum256([]byte(n.Source()))
	return vault.NewID(prefix, bytes.NewReader(sum[:]))
}
