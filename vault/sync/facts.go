package sync

import (
	"bytes"
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/converge"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/merge"
)

// A clone without the merge driver merges facts as text: what two sides drew stands there
// by turns, or between conflict markers. Package fact says what the merge is to be, from the
// three versions alone, so every clone that puts it right writes the same bytes. What a person
// decided stands, and so does what later commits have made of the file.

// addFacts adds to a decision about a merge the facts files that git merged as text.
func (o one) addFacts(p *past, in converge.Input, both []vault.Path, d *converge.Decision) error {
	if len(both) == 0 {
		return nil
	}
	var at [5]map[vault.Path][]byte
	for i, commit := range [...]string{in.Base, in.Sides[0], in.Sides[1], in.Commit, in.Head} {
		var err error
		if at[i], err = o.Merges.Texts(p.ctx, commit, both); err != nil {
			return err
		}
	}
	for _, path := range both {
		ours, theirs, made := at[1][path], at[2][path], at[3][path]
		if ours == nil || theirs == nil || made == nil || !bytes.Equal(made, at[4][path]) {
			continue
		}
		want := fact.Merger(string(path))(at[0][path], ours, theirs)
		gave := droppedFacts(path, at[0][path], ours, theirs, in.Sides)
		if bytes.Equal(made, want) {
			if !in.Quiet {
				d.Conflicts = append(d.Conflicts, gave...)
			}
			continue
		}
		if git, err := p.gitMade(path, made); err != nil || !git {
			if err != nil {
				return err
			}
			continue
		}
		if clean, err := p.isClean(path); err != nil || !clean {
			d.Spared = true
			continue
		}
		d.Edits = append(d.Edits, vault.Edit{Path: path, Steps: []vault.Step{{Op: vault.OpSetText, Text: string(want)}}})
		d.Discrepancies = append(d.Discrepancies, Discrepancy{Type: ConflictMarkers, Path: path, Fixed: "merged what both sides say of its facts"})
		d.Conflicts = append(d.Conflicts, gave...)
	}
	return nil
}

// droppedFacts tells what the merge of a facts file does not keep of what people wrote on both
// sides, which are in those commits.
func droppedFacts(path vault.Path, base, ours, theirs []byte, sides [2]string) []Conflict {
	gave := vault.DroppedFacts(string(path), base, ours, theirs)
	if len(gave) == 0 {
		return nil
	}
	var id vault.ID
	if f, err := fact.Parse(ours); err == nil {
		id = vault.ID(f.ID)
	}
	return converge.NewConflicts(id, path, gave, sides)
}

// gitMade reports whether the text of a facts file in a merge is git's, and no person's.
func (p *past) gitMade(path vault.Path, made []byte) (bool, error) {
	if merge.HasHunks(made) {
		return true, nil
	}
	again, err := p.replayMerge(converge.Made{How: converge.ReplayMerge, Path: path})
	return again.Text != nil && bytes.Equal(again.Text, made), err
}

// resolveFacts gives facts that a merge under way left in conflict the text that the driver
// makes of them, unless somebody has settled it.
func (v *Syncer) resolveFacts(ctx context.Context, c Conflicted, doc []byte, sides [2]string, o Options, out *Synced) error {
	text := fact.Merger(string(c.Path))(c.Base, c.Ours, c.Theirs)
	if !merge.HasHunks(doc) || bytes.Equal(doc, text) {
		return nil
	}
	done := o.DryRun
	if !done {
		var err error
		if done, err = v.Conflicts.Rewrite(ctx, c.Path, doc, text); err != nil {
			return err
		}
	}
	if !done {
		out.Warnings = append(out.Warnings, string(c.Path)+": it was saved at this moment; run the command again")
		return nil
	}
	out.Discrepancies = append(out.Discrepancies, Discrepancy{Type: ConflictMarkers, Path: c.Path, Fixed: "merged what both sides say of its facts"})
	out.Conflicts = append(out.Conflicts, droppedFacts(c.Path, c.Base, c.Ours, c.Theirs, sides)...)
	return nil
}
