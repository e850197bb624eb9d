package findings

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// A finding that an earlier review has found and that is open still is one finding, as two are
// that overlap in one review: the memory says the worse of both severities, both texts and the
// tags of both. What a person has written into it stays.

// again is an open finding with what a review says of it now.
type again struct {
	*vault.Doc
	found *Finding
}

// match returns for each finding the open one that says the same; nil for none. One that stands
// where the code has moved a known one goes before one that stands where it was, and of the
// known ones each is found once.
func (r *review) match(ctx context.Context, known []vault.Node, distinct []Finding) ([]*vault.Doc, error) {
	docs, taken := make([]*vault.Doc, len(distinct)), make(map[vault.ID]bool)
	for _, apart := range []func(*Known, *Finding) (int, bool){r.apartNow, apartBefore} {
		for i := range distinct {
			if docs[i] != nil {
				continue
			}
			d, err := r.findSame(ctx, known, &distinct[i], taken, apart)
			if err != nil {
				return nil, err
			}
			if docs[i] = d; d != nil {
				taken[d.ID] = true
			}
		}
	}
	return docs, nil
}

// findSame returns the open finding that says the same, of several the one that is least apart; nil
// for none. The mirror knows titles, so only the files of those that are alike are read.
func (r *review) findSame(ctx context.Context, known []vault.Node, f *Finding, taken map[vault.ID]bool, apart func(*Known, *Finding) (int, bool)) (found *vault.Doc, err error) {
	least := Near + 1
	for i := range known {
		n := &known[i]
		if n.Status == vault.StatusClosed || !r.measure.IsAlike(bareTitle(n.Title), f.Summary) {
			continue
		}
		d, err := r.tx.OpenFromMirror(ctx, string(n.ID))
		if code := vault.CodeOf(err); code == vault.CodeNotFound || code == vault.CodeAmbiguous {
			continue
		} else if err != nil {
			return nil, err
		}
		k := FromMemory(d.Mem)
		if far, ok := apart(&k, f); ok && far < least && k.Open() && !taken[d.ID] && r.measure.IsAlike(k.Summary, f.Summary) {
			found, least = d, far
		}
	}
	return found, nil
}

// apartNow returns how far a finding is from where the code has moved a known one, and whether
// that is one place.
func (r *review) apartNow(k *Known, f *Finding) (far int, ok bool) {
	if r.Moved == nil || k.Line == 0 || k.File != f.File {
		return 0, false
	}
	for _, line := range r.Moved(k.File, k.Commit, k.Line) {
		if here := (Finding{Category: k.Category, File: k.File, Line: line}); isSamePlace(&here, f) {
			return distance(line, f.Line), true
		}
	}
	return 0, false
}

// apartBefore is apartNow for where the known one stood when it was found.
func apartBefore(k *Known, f *Finding) (far int, ok bool) {
	return distance(k.Line, f.Line), isSamePlace(&k.Finding, f)
}

// bareTitle returns the title of a finding without its severity.
func bareTitle(title string) string {
	for _, s := range severities {
		if rest, ok := strings.CutPrefix(title, "["+strings.ToUpper(s)+"] "); ok {
			return rest
		}
	}
	return title
}

// noteFoundAgain says in an open finding what this review has found of it.
func (r *review) noteFoundAgain(ctx context.Context, a again) error {
	if err := a.Editable(); err != nil {
		return err
	}
	if err := r.tx.Adopt(ctx, a.Doc); err != nil {
		return err
	}
	if err := r.worsen(ctx, a); err != nil {
		return err
	}
	steps := []vault.Step{{Op: vault.OpAddToList, Key: "relates_to", List: []string{string(r.ID)}}}
	if len(a.found.Tags) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: "labels", List: a.found.Tags})
	}
	return r.tx.Edit(a.Doc, append(append(steps, r.placeSteps(a)...), a.textSteps()...)...)
}

// worsen gives a finding the severity that this review has found, if that is worse.
func (r *review) worsen(ctx context.Context, a again) error {
	if k := FromMemory(a.Mem); Rank(a.found.Severity) >= Rank(k.Severity) {
		return nil
	}
	if rest := bareTitle(a.Mem.Title); rest != a.Mem.Title {
		title := (&Finding{Severity: a.found.Severity, Summary: rest}).Title()
		if _, err := (tree.Amend{Ref: string(a.ID), Title: &title, Verb: r.Name()}).Plan(ctx, r.tx); err != nil {
			return err
		}
	}
	return r.tx.Edit(a.Doc, vault.Step{Op: vault.OpSetKey, Key: "severity", Value: a.found.Severity})
}

// placeSteps returns the steps that say where a finding stands in the commit that was reviewed, if
// the code above it has moved it.
func (r *review) placeSteps(a again) []vault.Step {
	k := FromMemory(a.Mem)
	if r.Commit == "" || distance(k.Line, a.found.Line) <= Near {
		return nil
	}
	return append(vault.AnchorSteps(r.Anchor), vault.Step{Op: vault.OpSetKey, Key: "line", Value: strconv.Itoa(a.found.Line)})
}

// textSteps returns the steps that add what the finding's memory does not say yet.
func (a again) textSteps() (steps []vault.Step) {
	has := normalizeText(a.Mem.Prose)
	if text := journal.LowerHeadings(a.found.Details); text != "" && !strings.Contains(has, text) {
		steps = append(steps, vault.Step{Op: vault.OpAddToLead, Text: text})
	}
	if text := journal.LowerHeadings(a.found.Remediation); text != "" && !strings.Contains(has, text) {
		steps = append(steps, vault.Step{Op: vault.OpAddToSection, Name: remediation, Text: text})
	}
	return steps
}

// updateRow makes the row of a finding say what its memory says now.
func (a again) updateRow(rows []Row) {
	k := FromMemory(a.Mem)
	for i := range rows {
		if rows[i].ID == a.ID {
			rows[i].Title, rows[i].Severity, rows[i].Line = a.Mem.Title, cmp.Or(k.Severity, rows[i].Severity), k.Line
		}
	}
}
