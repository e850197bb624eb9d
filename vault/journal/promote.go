package journal

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// Promote gives an entry a place in the tree: from pending to long-term.
type Promote struct {
	Ref     string `json:"id" need:"yes"`
	Parent  string `json:"under,omitempty" flag:"under" help:"with --to long-term: the parent's <id>"`        // empty means the root Learned, which is made on demand
	Summary string `json:"summary,omitempty" flag:"summary" help:"with --to long-term: the trigger <phrase>"` // where there is none one is proposed from the title
	Written bool   `json:"-"`                                                                                 // by a model
	Approve bool   `json:"approve,omitempty" flag:"approve" help:"with --to: approve it in the same commit"`
	IfMatch string `json:"if_match,omitempty"`

	Thresholds tier.Thresholds `json:"-"`
}

// Promoted is the outcome of Promote and Demote.
type Promoted struct {
	ID        vault.ID   `json:"id"`
	Title     string     `json:"title"`
	Level     tier.Level `json:"level,omitempty"` // now
	Path      vault.Path `json:"path"`
	ParentID  vault.ID   `json:"parent_id,omitempty"`
	Proposed  string     `json:"proposed_summary,omitempty"` // the trigger phrase that it got, where nobody has said one
	Unchanged bool       `json:"unchanged,omitempty"`
	vault.Warned
}

// Do promotes the entry in one commit. The error is of the class [vault.CodeRefused] where it
// is not promotable.
func (o Promote) Do(ctx context.Context, v *vault.Vault) (Promoted, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o Promote) Name() string { return "promote" }

// Plan moves the entry into the tree. One that has its place already stays, and the outcome
// says so.
func (o Promote) Plan(ctx context.Context, tx *vault.Tx) (out Promoted, err error) {
	d, err := openEntry(ctx, tx, o.Ref)
	if err != nil {
		return out, err
	}
	if err := d.Matches(o.IfMatch); err != nil {
		return out, err
	}
	h := &d.Mem.Header
	out = Promoted{ID: d.ID, Title: d.Mem.Title, Level: tier.LevelOf(h), Path: d.Path, ParentID: d.Parent}
	if out.Unchanged = !tier.IsDenied(h) && (out.Level == tier.LongTerm || out.Level == tier.Core); out.Unchanged {
		return out, nil
	}
	if o.Approve && !tier.IsDenied(h) { // a denial is lifted by an act of its own
		if _, err := (Approve{Ref: string(d.ID)}).Plan(ctx, tx); err != nil {
			return out, err
		}
	}
	if err := o.Thresholds.LongTerm(&d.Mem.Header); err != nil {
		return out, err
	}
	if err := o.placeEntry(ctx, tx, d, &out); err != nil {
		return out, err
	}
	at := header.FormatDate(tier.Later(tx.Now()))
	out.Level = tier.LongTerm
	return out, amend(ctx, tx, d, vault.Step{Op: vault.OpSetKey, Key: "long_term_at", Value: at}, vault.Step{Op: vault.OpDropKey, Key: "wants_place"})
}

// placeEntry moves the entry below its parent.
func (o *Promote) placeEntry(ctx context.Context, tx *vault.Tx, d *vault.Doc, out *Promoted) error {
	parent := o.Parent
	if parent == "" {
		part, err := tx.PartAround(ctx, d)
		if err != nil {
			return err
		}
		root, err := Learned.In(part).Open(ctx, tx)
		if err != nil {
			return err
		}
		parent = string(root.ID)
	}
	if o.Summary == "" && vault.Phrase(d.Mem.Summary) == "" {
		o.Summary, o.Written = propose(d.Mem.Title), true
		out.Proposed = o.Summary
	}
	moved, err := tree.Move{Ref: string(d.ID), To: parent, Summary: o.Summary, As: filename.Slug(d.Mem.Title, d.ID.Suffix())}.Plan(ctx, tx)
	if err != nil {
		return err
	}
	if o.Written {
		if err := tx.Edit(d, vault.SetPhrase(o.Summary, d.Mem.ContentHash())...); err != nil {
			return err
		}
	}
	out.Path, out.Warnings = moved.Path, moved.Warnings
	if moved.NewParent != nil {
		out.ParentID = *moved.NewParent
	}
	return nil
}

// propose returns a trigger phrase for an entry of which nobody has said when one needs it, so
// that it does not wait for one as soon as it has its place.
func propose(title string) string {
	return vault.Clip("When this matters: "+title, vault.TriggerLimit)
}

// Demote takes an entry back out of the tree: from long-term to the journal.
type Demote struct {
	Ref     string `json:"id" need:"yes"`
	IfMatch string `json:"if_match,omitempty"`
}

// Do demotes the entry in one commit.
func (o Demote) Do(ctx context.Context, v *vault.Vault) (Promoted, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o Demote) Name() string { return "demote" }

// Plan moves the entry to the journal. It keeps its trigger phrase and its approval.
func (o Demote) Plan(ctx context.Context, tx *vault.Tx) (out Promoted, err error) {
	d, err := openEntry(ctx, tx, o.Ref)
	if err != nil {
		return out, err
	}
	if err := d.Matches(o.IfMatch); err != nil {
		return out, err
	}
	h := &d.Mem.Header
	out = Promoted{ID: d.ID, Title: d.Mem.Title, Level: tier.LevelOf(h), Path: d.Path, ParentID: d.Parent}
	switch {
	case !h.IsEntry():
		return out, vault.Errorf(vault.CodeRefused, "`cp memory delete` or `cp memory resolve` ends a memory of the tree", "%s was never in the journal", d.ID)
	case out.Level != tier.LongTerm:
		out.Unchanged = true
		return out, nil
	}
	below, err := tx.Below(ctx, d)
	switch {
	case err != nil:
		return out, err
	case len(below) > 0:
		return out, vault.Errorf(vault.CodeInvalid, "move its sub-memories first", "%s has %s", d.ID, vault.Plural(len(below), "sub-memory", "sub-memories"))
	}
	return o.back(ctx, tx, d, out)
}

// back moves the entry to its place in the journal.
func (o *Demote) back(ctx context.Context, tx *vault.Tx, d *vault.Doc, out Promoted) (Promoted, error) {
	part, err := tx.PartAround(ctx, d)
	if err != nil {
		return out, err
	}
	root, err := journalRoot.In(part).Open(ctx, tx)
	if err != nil {
		return out, err
	}
	dir, name := EntryPlace(root, d.Mem)
	moved, err := tree.Move{Ref: string(d.ID), To: string(root.ID), In: dir, As: name}.Plan(ctx, tx)
	if err != nil {
		return out, err
	}
	out.Path, out.ParentID, out.Warnings = moved.Path, root.ID, moved.Warnings
	if err := amend(ctx, tx, d, vault.Step{Op: vault.OpDropKey, Key: "long_term_at"}); err != nil {
		return out, err
	}
	out.Level = tier.LevelOf(&d.Mem.Header)
	return out, nil
}
