package journal

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// CoreWord is what a promotion names as its target for the files that agents load.
const CoreWord = "core"

// PromoteCore writes a long-term memory into files that agents load every time.
type PromoteCore struct {
	Ref     string
	Project string          // the vault's name in the markers
	Targets []tier.CoreFile // as they were read before the write
	Approve bool            // approve it in the same commit

	Thresholds tier.Thresholds
}

// CoreDone is the outcome of PromoteCore and DemoteCore.
type CoreDone struct {
	ID        vault.ID   `json:"id"`
	Title     string     `json:"title"`
	Level     tier.Level `json:"level,omitempty"` // now
	Files     []string   `json:"files"`           // that were changed
	Failed    []string   `json:"failed,omitempty"`
	Unchanged bool       `json:"unchanged,omitempty"`
	vault.Warned
}

// Do promotes the memory in one commit, with the files written before it.
func (o PromoteCore) Do(ctx context.Context, v *vault.Vault) (CoreDone, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o PromoteCore) Name() string { return "promote" }

// Plan promotes the memory. A target that fails is told of while others are written, and
// remembered as one that was decided on; the level is core once all were written. The same
// again writes what is missing or old, else nothing.
func (o PromoteCore) Plan(ctx context.Context, tx *vault.Tx) (out CoreDone, err error) {
	d, err := openEntry(ctx, tx, o.Ref)
	if err != nil {
		return out, err
	}
	h := &d.Mem.Header
	again := tier.LevelOf(h) == tier.Core && !tier.IsDenied(h)
	if o.Approve && !again && !tier.IsDenied(h) {
		if _, err := (Approve{Ref: string(d.ID)}).Plan(ctx, tx); err != nil {
			return out, err
		}
		h = &d.Mem.Header
	}
	if !again {
		if err := o.Thresholds.Core(h, tx.Now()); err != nil {
			return out, err
		}
	}
	out = CoreDone{ID: d.ID, Title: d.Mem.Title, Level: tier.LevelOf(h), Files: []string{}}
	written, err := o.writeSections(tx, d, &out)
	if err != nil {
		return out, err
	}
	return out, o.recordTargets(ctx, tx, d, &out, append(written, out.Failed...))
}

// writeSections plans the sections and returns the targets that have theirs. Without any the error
// is that of the first.
func (o PromoteCore) writeSections(tx *vault.Tx, d *vault.Doc, out *CoreDone) (written []string, first error) {
	for _, t := range o.Targets {
		s, change, err := t.Section(tier.SectionKey(o.Project, d.ID), tier.SectionText(d.Mem))
		if err != nil {
			out.Failed, out.Warnings = append(out.Failed, t.Name), append(out.Warnings, err.Error())
			if first == nil {
				first = err
			}
			continue
		}
		written = append(written, t.Name)
		if change && !slices.Contains(out.Files, t.File) {
			out.Files = append(out.Files, t.File)
			tx.Section(s)
		}
	}
	if len(written) > 0 {
		first = nil
	}
	return written, first
}

// recordTargets says in the memory where it stands, or shall stand.
func (o PromoteCore) recordTargets(ctx context.Context, tx *vault.Tx, d *vault.Doc, out *CoreDone, decided []string) error {
	h := &d.Mem.Header
	all := header.UniqueItems(append(slices.Clone(h.CoreTargets), decided...))
	steps := []vault.Step{{Op: vault.OpSetList, Key: "core_targets", List: all}}
	if len(out.Failed) == 0 && (h.Core.IsZero() || len(out.Files) > 0) {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "core_at", Value: header.FormatDate(tier.Later(tx.Now(), h.Core))})
	}
	if out.Unchanged = len(steps) == 1 && len(all) == len(header.UniqueItems(h.CoreTargets)); out.Unchanged {
		return nil
	}
	err := amend(ctx, tx, d, steps...)
	out.Level = tier.LevelOf(&d.Mem.Header)
	return err
}

// DemoteCore takes a memory out of the files that agents load: from core to long-term.
type DemoteCore struct {
	Ref     string
	Project string
	Targets []tier.CoreFile
}

// Do demotes the memory in one commit, with the files written before it.
func (o DemoteCore) Do(ctx context.Context, v *vault.Vault) (CoreDone, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o DemoteCore) Name() string { return "demote" }

// Plan demotes the memory. Where a section was edited it refuses and names the file.
func (o DemoteCore) Plan(ctx context.Context, tx *vault.Tx) (out CoreDone, err error) {
	d, err := openEntry(ctx, tx, o.Ref)
	if err != nil {
		return out, err
	}
	out = CoreDone{ID: d.ID, Title: d.Mem.Title, Level: tier.LongTerm, Files: []string{}}
	for _, t := range o.Targets {
		s, change, err := t.Section(tier.SectionKey(o.Project, d.ID), "")
		if err != nil {
			return out, err
		}
		if change && !slices.Contains(out.Files, t.File) {
			out.Files = append(out.Files, t.File)
			tx.Section(s)
		}
	}
	return out, amend(ctx, tx, d, vault.Step{Op: vault.OpDropKey, Key: "core_at"}, vault.Step{Op: vault.OpDropKey, Key: "core_targets"})
}
