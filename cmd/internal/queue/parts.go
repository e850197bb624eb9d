package queue

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// decisionParts returns what a decision is made of, and what is known of the outcome before. A model
// is asked here, before anything is locked.
func (r *One) decisionParts(ctx context.Context, item journal.Item, d Decision) ([]journal.DecisionPart, *Outcome, error) {
	switch d.Do {
	case Approve:
		return r.approval(ctx, item, d)
	case Deny:
		if item.Why == journal.ChangedCode {
			return nil, nil, vault.Errorf(vault.CodeInvalid, decideAboutCode, "a denial says nothing about code that has changed")
		}
		return []journal.DecisionPart{journal.PartOf(journal.Deny{Ref: string(item.ID), Reason: d.Reason})}, &Outcome{Level: item.Level}, nil
	case Merge:
		return merging(item, d)
	case ToCore:
		return r.toCore(item, d)
	case Edit:
		if strings.TrimSpace(d.Text) == "" {
			return nil, nil, vault.Errorf(vault.CodeInvalid, "deny it, or leave its text", "nothing is left of the text")
		}
		return []journal.DecisionPart{journal.PartOf(amendText(item, d.Text))}, &Outcome{Level: item.Level}, nil
	case Confirm:
		return r.confirmation(ctx, item, d)
	case Unbind:
		return r.unbinding(ctx, item)
	case Resolve:
		if !item.Code.IsLoud() {
			return nil, nil, vault.Errorf(vault.CodeInvalid, "`cp memory resolve "+string(item.ID)+"` closes any memory", "the code of %s is as the memory knows it", item.ID)
		}
		return []journal.DecisionPart{journal.PartOf(journal.Resolve{Ref: string(item.ID), Resolution: d.Ending})}, &Outcome{}, nil
	}
	return nil, nil, vault.Errorf(vault.CodeInvalid, "approve, deny, merge, edit, core, confirm, unbind or resolve", "'%s' is no decision", vault.Clip(d.Do, 40))
}

// decideAboutCode says what is decided about a memory whose code has changed.
const decideAboutCode = "confirm it if it is right about its code as it is now, else edit it, unbind it or resolve it"

// amendText gives an item another text. What has a title alone, as a short observation does, gets
// another title.
func amendText(item journal.Item, text string) tree.Amend {
	text = strings.TrimSpace(text)
	if item.Text == "" && !strings.Contains(text, "\n") {
		return tree.Amend{Ref: string(item.ID), Title: &text}
	}
	text += "\n"
	return tree.Amend{Ref: string(item.ID), Body: &text}
}

// approval returns what an approval does to an item, by the reason for which it waits. An
// item that meets the thresholds of long-term gets its place in the same commit. A denied one
// waits again.
func (r *One) approval(ctx context.Context, item journal.Item, d Decision) ([]journal.DecisionPart, *Outcome, error) {
	ref := string(item.ID)
	switch item.Why {
	case journal.ReasonObservation, journal.ReasonPlace:
		return r.promotion(ctx, item, d)
	case journal.Stale:
		return nil, nil, vault.Errorf(vault.CodeInvalid, "`cp memory promote "+ref+" --to core` writes it anew", "a copy that is out of date is not approved")
	case journal.ChangedCode:
		return nil, nil, vault.Errorf(vault.CodeInvalid, decideAboutCode, "an approval says nothing about code that has changed")
	case journal.Phrase:
		if strings.TrimSpace(d.Summary) == "" {
			return nil, nil, vault.Errorf(vault.CodeInvalid, "say when one needs the memory", "the trigger phrase is what is missing")
		}
		return []journal.DecisionPart{journal.PartOf(tree.Amend{Ref: ref, Summary: &d.Summary})}, &Outcome{Level: item.Level}, nil
	case journal.Deferred:
		open := vault.StatusOpen
		return []journal.DecisionPart{journal.PartOf(tree.Amend{Ref: ref, Status: &open})}, &Outcome{Level: item.Level}, nil
	}
	return []journal.DecisionPart{journal.PartOf(journal.Approve{Ref: ref})}, &Outcome{Level: item.Level}, nil
}

// promotion approves an entry and gives it its place in the tree.
func (r *One) promotion(ctx context.Context, item journal.Item, d Decision) ([]journal.DecisionPart, *Outcome, error) {
	if (d.Parent != "") == d.Learned {
		return nil, nil, vault.Errorf(vault.CodeInvalid, "name the memory below which it goes, or choose the root Learned", "an approval needs either a place in the tree, or the root Learned")
	}
	o := journal.Promote{Ref: string(item.ID), Parent: d.Parent, Summary: d.Summary, Approve: true, Thresholds: r.rules().Thresholds}
	if o.Summary == "" && r.s.Settings.Generation.IsConfigured() {
		r.s.PhraseFor(ctx, &o)
	}
	return []journal.DecisionPart{journal.PartOf(o)}, &Outcome{Level: string(tier.LongTerm)}, nil
}

// merging merges an item into the memory that is named.
func merging(item journal.Item, d Decision) ([]journal.DecisionPart, *Outcome, error) {
	if d.Into == "" {
		return nil, nil, vault.Errorf(vault.CodeInvalid, "name the memory", "a merge needs the memory into which it goes")
	}
	return []journal.DecisionPart{journal.PartOf(journal.Merge{ID: string(item.ID), Into: d.Into})}, &Outcome{Into: vault.ID(d.Into)}, nil
}
