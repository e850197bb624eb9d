package journal

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// Approve is a person's yes to a memory: it may go one level up.
type Approve struct {
	Ref     string `json:"id" need:"yes"`
	IfMatch string `json:"if_match,omitempty"` // the file's hash as it was read; empty does not check
}

// Deny is a person's no: the memory is promotable at no level, and no recall finds it while it
// has no place in the tree.
type Deny struct {
	Ref     string `json:"id" need:"yes"`
	Reason  string `json:"reason,omitempty" flag:"reason" help:"a <text> that says why"`
	IfMatch string `json:"if_match,omitempty"` // as in Approve
}

// Decided is the outcome of Approve and Deny.
type Decided struct {
	ID        vault.ID   `json:"id"`
	Title     string     `json:"title"`
	Path      vault.Path `json:"path"`
	Level     tier.Level `json:"level,omitempty"`
	Unchanged bool       `json:"unchanged,omitempty"` // it was decided so before
	vault.Warned
}

// Do writes the yes in one commit.
func (o Approve) Do(ctx context.Context, v *vault.Vault) (Decided, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Do writes the no in one commit.
func (o Deny) Do(ctx context.Context, v *vault.Vault) (Decided, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o Approve) Name() string { return "approve" }

// Name is the verb's.
func (o Deny) Name() string { return "deny" }

// Plan approves the memory at its level. It lifts a denial.
func (o Approve) Plan(ctx context.Context, tx *vault.Tx) (Decided, error) {
	d, out, err := openForDecision(ctx, tx, o.Ref, o.IfMatch)
	if err != nil {
		return out, err
	}
	h := &d.Mem.Header
	if out.Unchanged = tier.IsApproved(h); out.Unchanged {
		return out, nil
	}
	at := tier.Later(tx.Now(), h.Denied, h.LongTerm)
	return out, amend(ctx, tx, d,
		vault.Step{Op: vault.OpSetKey, Key: "approved_at", Value: header.FormatDate(at)},
		vault.Step{Op: vault.OpSetKey, Key: "approved_by", Value: tx.Agent()})
}

// Plan denies the memory.
func (o Deny) Plan(ctx context.Context, tx *vault.Tx) (Decided, error) {
	if err := vault.CheckLine("reason", o.Reason); err != nil {
		return Decided{}, err
	}
	d, out, err := openForDecision(ctx, tx, o.Ref, o.IfMatch)
	if err != nil {
		return out, err
	}
	h := &d.Mem.Header
	if out.Unchanged = tier.IsDenied(h) && (o.Reason == "" || o.Reason == h.DeniedReason); out.Unchanged {
		return out, nil
	}
	steps := []vault.Step{
		{Op: vault.OpSetKey, Key: "denied_at", Value: header.FormatDate(tier.Later(tx.Now(), h.Approved))},
		{Op: vault.OpSetKey, Key: "denied_by", Value: tx.Agent()},
		{Op: vault.OpDropKey, Key: "denied_reason"},
	}
	if o.Reason != "" {
		steps[2] = vault.Step{Op: vault.OpSetKey, Key: "denied_reason", Value: o.Reason}
	}
	return out, amend(ctx, tx, d, steps...)
}

// openForDecision opens the memory that a decision is about.
func openForDecision(ctx context.Context, tx *vault.Tx, ref, match string) (*vault.Doc, Decided, error) {
	d, err := openEntry(ctx, tx, ref)
	if err != nil {
		return nil, Decided{}, err
	}
	return d, Decided{ID: d.ID, Title: d.Mem.Title, Path: d.Path, Level: tier.LevelOf(&d.Mem.Header)}, d.Matches(match)
}

// openEntry opens a memory that a person decides about.
func openEntry(ctx context.Context, tx *vault.Tx, ref string) (*vault.Doc, error) {
	d, err := tx.OpenMemory(ctx, ref)
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		return nil, vault.Errorf(vault.CodeNotFound, "`cp memory review` shows what waits", "Memory not found: %s", vault.Clip(ref, 80))
	case err == nil && d.Mem.Header.Journal != "":
		return nil, vault.Errorf(vault.CodeInvalid, "name one of its entries", "%s is a root that the program makes", d.ID)
	}
	return d, err
}
