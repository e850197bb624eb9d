package journal

import (
	"context"
	"encoding/json"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// Verbs is the table of the room's verbs. A promotion asks for what the thresholds say. analyser
// returns what takes the words out of texts; it is called only for a verb that is planned.
func Verbs(thresholds tier.Thresholds, analyser func() recall.Analyse) []tree.Verb {
	return []tree.Verb{
		{Name: Observe{}.Name(), Options: Observe{}, Line: observation(analyser),
			Waits: func() vault.Verb[vault.Delivered] { return &queuedObserve{Observe{Analyse: analyser()}} }},
		{Name: Promote{}.Name(), Options: Promotion{}, Line: promotion(thresholds)},
		tree.NewVerb(Capture{}).Waiting(func() vault.Verb[vault.Delivered] { return new(queued) }),
		tree.NewVerb(Approve{}), tree.NewVerb(Deny{}), tree.NewVerb(Demote{}), tree.NewVerb(Resolve{}), tree.NewVerb(Reanchor{}),
	}
}

// observation reads an observation.
func observation(analyser func() recall.Analyse) func([]byte) (tree.Line, error) {
	return func(options []byte) (tree.Line, error) {
		var o Observe
		if err := json.Unmarshal(options, &o); err != nil {
			return nil, err
		}
		o.Analyse = analyser()
		return tree.LineOf(o), nil
	}
}

// queued is a Capture that waited.
type queued struct{ Capture }

// Plan plans the Capture as it was queued. Where its parent is gone by now it goes to the
// journal, with a warning: knowledge is never dropped. So does it with other memories that
// it relates to.
func (o *queued) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	if !vault.IsCommit(o.Commit) { // of a version that did not look
		o.Anchor = header.Anchor{}
	}
	out, err := o.Capture.Plan(ctx, tx)
	switch vault.CodeOf(err) {
	case vault.CodeNotFound, vault.CodeAmbiguous, vault.CodeType, vault.CodeInvalid, vault.CodeDamaged:
		why := string(o.ID) + " went to the journal: " + err.Error()
		o.Capture.Parent, o.Capture.Summary, o.Capture.Relates = "", "", nil
		tx.Restart(o.Name())
		out, err = o.Capture.Plan(ctx, tx)
		out.Warnings = append(out.Warnings, why)
	}
	return vault.Delivered{ID: out.ID, Title: out.Title, ParentID: out.ParentID, Path: out.Path, Warned: out.Warned}, err
}

// Row is the outcome in a batch.
func (c Captured) Row() tree.BatchRow {
	return tree.BatchRow{ID: c.ID, Title: c.Title, Path: c.Path, ParentID: c.ParentID, Warnings: c.Warnings, Drawn: true}
}

// Row is the outcome in a batch.
func (r Resolved) Row() tree.BatchRow { return r.Amended.Row() }

// queuedObserve is an Observe that waited.
type queuedObserve struct{ Observe }

// Plan plans the Observe as it was queued. Memories that it relates to and that are gone by
// now are left out.
func (o *queuedObserve) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	out, err := o.Observe.Plan(ctx, tx)
	if code := vault.CodeOf(err); o.Text != "" && (code == vault.CodeNotFound || code == vault.CodeAmbiguous || code == vault.CodeType) {
		o.Relates = nil
		tx.Restart(o.Name())
		out, err = o.Observe.Plan(ctx, tx)
	}
	return vault.Delivered{ID: out.ID, Title: out.Title, Path: out.Path, Warned: out.Warned}, err
}

// LongTermWord is what a promotion names as its target for a place in the tree.
const LongTermWord = "long-term"

// CheckTo refuses a promotion that mixes its two meanings: one level up in the tree, and one
// level nearer to the agents.
func CheckTo(to string, others ...bool) error {
	for _, given := range others {
		if given && to == "" {
			return vault.Errorf(vault.CodeInvalid, "add --to long-term or --to core, or leave the other options out", "--under, --summary, --target and --approve are for a promotion with --to")
		}
	}
	return nil
}

// Promotion is what a person says of either kind: without To a memory goes one level up in the
// tree, with it an entry into the tree, or nearer to the agents.
type Promotion struct {
	To string `json:"to" flag:"to" help:"the <level>: long-term or core"`
	Promote
	KeepLinks bool `json:"keep_links" flag:"keep-links" help:"name the links that break, and leave them"` // one level up
}

// Up is the one without To.
func (o Promotion) Up() tree.Promote { return tree.Promote{Ref: o.Ref, KeepLinks: o.KeepLinks} }

// promotion reads a promotion.
func promotion(thresholds tier.Thresholds) func([]byte) (tree.Line, error) {
	return func(options []byte) (tree.Line, error) {
		var o Promotion
		if err := json.Unmarshal(options, &o); err != nil {
			return nil, err
		}
		if err := CheckTo(o.To, o.Parent != "", o.Summary != "", o.Approve); err != nil {
			return nil, err
		}
		switch o.To {
		case "":
			return tree.LineOf(o.Up()), nil
		case LongTermWord:
			o.Thresholds = thresholds
			return tree.LineOf(o.Promote), nil
		}
		return nil, vault.Errorf(vault.CodeInvalid, "a line promotes to long-term; `cp memory promote --to core` writes the agents' files", "'%s' is no target of a line", vault.Clip(o.To, 40))
	}
}

// Row is the outcome in a batch.
func (o Observed) Row() tree.BatchRow {
	return tree.BatchRow{ID: o.ID, Title: o.Title, Path: o.Path, Unchanged: o.Unchanged, Warnings: o.Warnings}
}

// Row is the outcome in a batch.
func (d Decided) Row() tree.BatchRow {
	return tree.BatchRow{ID: d.ID, Title: d.Title, Path: d.Path, Unchanged: d.Unchanged, Warnings: d.Warnings}
}

// Row is the outcome in a batch.
func (p Promoted) Row() tree.BatchRow {
	return tree.BatchRow{ID: p.ID, Title: p.Title, Path: p.Path, ParentID: p.ParentID, Unchanged: p.Unchanged, Warnings: p.Warnings}
}
