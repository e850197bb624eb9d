package findings

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// The id of a batch follows from its findings, as that of an observation follows from its
// text: the same review is one memory in every clone, and added again it is found by its id.
// Where some of its findings were resolved and are there again, it is another review, with the
// next id. The id of a new finding follows from its batch.

// review is the planning of one Add.
type review struct {
	*Add
	tx      *vault.Tx
	measure *Measure
	out     *Added
	again   []again // open findings of earlier reviews that were found again
	fresh   []Finding
}

// planFindings makes what is not there yet.
func (r *review) planFindings(ctx context.Context, distinct []Finding) error {
	if err := r.part(ctx, distinct); err != nil {
		return err
	}
	there, err := r.draw(ctx)
	if err != nil {
		return err
	}
	r.out.ID, r.out.Title, r.out.New, r.out.SeenAgain = r.ID, batchTitle(distinct), len(r.fresh), len(r.again)
	if there != nil {
		r.out.Path, r.out.Unchanged = there.Path, true
		return nil
	}
	r.tx.About(r.ID, r.out.Title)
	if r.out.Path, err = r.batch(ctx); err != nil {
		return err
	}
	if err := r.children(ctx); err != nil {
		return err
	}
	for _, a := range r.again {
		if err := r.noteFoundAgain(ctx, a); err != nil {
			r.out.Warnings = append(r.out.Warnings, string(a.ID)+" was found again and does not say so: "+err.Error())
			continue
		}
		a.updateRow(r.out.Findings)
	}
	return nil
}

// part tells the findings that are known from the new ones.
func (r *review) part(ctx context.Context, distinct []Finding) error {
	known, err := r.listOpen(ctx)
	if err != nil {
		return err
	}
	docs, err := r.match(ctx, known, distinct)
	if err != nil {
		return err
	}
	for i := range distinct {
		f, d := &distinct[i], docs[i]
		row := Row{Title: f.Title(), Severity: f.Severity, Category: f.Category, File: f.File, Line: f.Line}
		if d != nil {
			row.ID, row.Path, row.Title, row.SeenAgain = d.ID, d.Path, d.Mem.Title, true
			r.again = append(r.again, again{d, f})
		} else {
			r.fresh = append(r.fresh, *f)
		}
		r.out.Findings = append(r.out.Findings, row)
	}
	return nil
}

// listOpen returns the open findings of the vault, those of earlier lines of a batch included.
func (r *review) listOpen(ctx context.Context) ([]vault.Node, error) {
	if _, err := r.tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	all, _, err := r.tx.Tree().List(ctx, vault.ListOptions{Types: []string{string(header.Finding)}, Status: []string{"*"}, Limit: maxRows})
	for _, n := range r.tx.ListCreated() {
		if n.Type == string(header.Finding) {
			all = append(all, n)
		}
	}
	return all, err
}

const maxRows = 1 << 30

// draw sets the id of the batch. there is the batch that has the same findings, all of which
// are known; nil if this one is new.
func (r *review) draw(ctx context.Context) (there *vault.Doc, err error) {
	for n := 1; ; n++ {
		if r.ID, err = r.batchID(r.tx.Prefix(), n); err != nil {
			return nil, err
		}
		d, err := r.tx.OpenFromMirror(ctx, string(r.ID))
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound, vault.CodeOf(err) == vault.CodeBusy: // it waits in the outbox, as this one may do itself
			return nil, nil
		case err != nil:
			return nil, err
		case len(r.fresh) == 0:
			return d, nil
		}
	}
}

// batchID returns the nth id for a review of these findings.
func (o *Add) batchID(prefix string, n int) (vault.ID, error) {
	return deriveID(prefix, o.Spec, strconv.Itoa(n), string(FormatLines(sortFindings(o.Findings))))
}

// deriveID returns the id that follows from the parts.
func deriveID(prefix string, parts ...string) (vault.ID, error) {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return vault.NewID(prefix, bytes.NewReader(sum[:]))
}

// batch plans the entry of the review.
func (r *review) batch(ctx context.Context) (vault.Path, error) {
	m := &vault.Memory{ID: r.ID, Header: vault.Header{Title: r.out.Title, Type: string(header.Review), Created: r.Created, Creator: r.tx.Agent()}}
	m.Header.Spec, m.Header.Anchor = r.Spec, r.Anchor
	if r.Session != "" {
		m.Header.Sessions = []string{r.Session}
	}
	for _, a := range r.again {
		m.References = append(m.References, vault.Reference{Kind: "relates_to", Target: string(a.ID)})
	}
	if len(r.again) > 0 {
		m.Prose = "Found again, and open before: " + strconv.Itoa(len(r.again)) + ".\n"
	}
	return journal.Enter(ctx, r.tx, m, r.Project)
}

// children plans the new findings below the batch.
func (r *review) children(ctx context.Context) error {
	parent := r.tx.FindPlanned(r.out.Path)
	var steps []vault.Step
	i := 0
	for row := range r.out.Findings {
		if r.out.Findings[row].SeenAgain {
			continue
		}
		f := &r.fresh[i]
		i++
		m, err := r.child(ctx, f)
		if err != nil {
			return err
		}
		p, err := r.tx.NewPath(ctx, parent.Folder(), filename.Slug(m.Title, m.ID.Suffix()))
		if err != nil {
			return err
		}
		text, err := vault.Render(m)
		if err != nil {
			return err
		}
		r.tx.Create(vault.Node{ID: m.ID, Path: p, Header: m.Header, Parent: parent.ID, ParentTitle: parent.Title, Depth: parent.Depth + 1}, text)
		r.out.Findings[row].ID, r.out.Findings[row].Path = m.ID, p
		steps = append(steps, vault.Step{Op: vault.OpAddPointer, Entry: &pointer.Entry{ID: string(m.ID), Title: m.Title, Summary: m.Summary}})
	}
	return r.tx.Edit(parent, steps...)
}

// child returns the memory of a new finding.
func (r *review) child(ctx context.Context, f *Finding) (*vault.Memory, error) {
	id, err := deriveID(r.tx.Prefix(), string(r.ID), string(FormatLines([]Finding{*f})))
	if err != nil {
		return nil, err
	}
	if _, err := r.tx.OpenFromMirror(ctx, string(id)); vault.CodeOf(err) != vault.CodeNotFound { // a person has moved it elsewhere, say
		if err != nil && vault.CodeOf(err) != vault.CodeAmbiguous {
			return nil, err
		}
		if id, err = r.tx.NewID(ctx); err != nil {
			return nil, err
		}
	}
	return f.newMemory(id, r.Add, r.tx.Agent()), nil
}
