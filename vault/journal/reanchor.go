package journal

import (
	"context"
	"math"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// Reanchor has the entries that tell of one commit of the code tell of another one. Without a commit
// they tell of none.
type Reanchor struct {
	Old string `json:"old" need:"yes"` // the full id

	header.Anchor
}

// Reanchors is many of them in one commit.
type Reanchors struct{ Moves []Reanchor }

// Reanchored is the outcome.
type Reanchored struct {
	Entries []ReanchoredRow `json:"entries"` // the newest first
	DryRun  bool            `json:"dry_run,omitempty"`
	vault.Warned
}

// ReanchoredRow is one entry that tells of another commit now.
type ReanchoredRow struct {
	ID    vault.ID   `json:"id"`
	Title string     `json:"title"`
	Path  vault.Path `json:"path"`
	From  string     `json:"from"`
	To    string     `json:"to"` // empty: of none
}

// Do writes it in one commit; with dry it only says what would be written.
func (o Reanchors) Do(ctx context.Context, v *vault.Vault, dry bool) (Reanchored, error) {
	out, r, err := vault.Do(ctx, v, o, vault.Options{DryRun: dry})
	out.DryRun = dry
	out.Warn(r.Notes...)
	return out, err
}

// Name is the verb's.
func (o Reanchors) Name() string { return "reanchor" }

// Name is the verb's.
func (o Reanchor) Name() string { return "reanchor" }

// Plan plans one of them.
func (o Reanchor) Plan(ctx context.Context, tx *vault.Tx) (Reanchored, error) {
	return Reanchors{[]Reanchor{o}}.Plan(ctx, tx)
}

// Plan edits the header of each entry that tells of one of the old commits.
func (o Reanchors) Plan(ctx context.Context, tx *vault.Tx) (out Reanchored, err error) {
	out.Entries = []ReanchoredRow{}
	to, old := map[string]header.Anchor{}, []string{}
	for _, m := range o.Moves {
		if err := m.check(); err != nil {
			return out, err
		}
		to[m.Old], old = m.Anchor, append(old, m.Old)
	}
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return out, err
	}
	nodes, _, err := tx.Tree().List(ctx, vault.ListOptions{Commits: old, Types: []string{"*"}, Status: []string{"*"}, Limit: math.MaxInt32})
	if err != nil {
		return out, err
	}
	for i := range nodes {
		if err := out.reanchor(ctx, tx, &nodes[i], to); err != nil {
			return out, err
		}
	}
	if n := len(out.Entries); n > 1 {
		tx.About("", vault.Plural(n, "entry", "entries"))
	}
	return out, nil
}

func (o *Reanchor) check() error {
	if !vault.IsCommit(o.Old) {
		return vault.Errorf(vault.CodeInvalid, "`cp memory show` tells the commit of an entry", "'%s' is not the full id of a commit", vault.Clip(o.Old, 80))
	}
	return vault.CheckCommit(o.Commit)
}

// reanchor edits one entry, unless its file tells of another commit by now.
func (r *Reanchored) reanchor(ctx context.Context, tx *vault.Tx, n *vault.Node, to map[string]header.Anchor) error {
	d, err := tx.OpenAt(*n)
	if err != nil {
		return err
	}
	now, known := to[d.Mem.Commit]
	if !known || now.Commit == d.Mem.Commit {
		return nil
	}
	r.Entries = append(r.Entries, ReanchoredRow{ID: d.ID, Title: d.Mem.Title, Path: d.Path, From: d.Mem.Commit, To: now.Commit})
	return amend(ctx, tx, d, vault.AnchorSteps(now)...)
}

// Row is the outcome in a batch.
func (r Reanchored) Row() tree.BatchRow {
	row := tree.BatchRow{Title: vault.Plural(len(r.Entries), "entry", "entries"), Unchanged: len(r.Entries) == 0, Warnings: r.Warnings}
	if len(r.Entries) == 1 {
		row.ID, row.Title, row.Path = r.Entries[0].ID, r.Entries[0].Title, r.Entries[0].Path
	}
	return row
}
