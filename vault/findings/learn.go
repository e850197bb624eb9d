package findings

import (
	"context"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// Learn captures what was learned by fixing findings: one learning for each category, with the
// resolutions of its findings, and the texts that a person or an agent adds.
type Learn struct {
	Findings []vault.ID `json:"findings"`
	Texts    []string   `json:"learnings,omitempty"`
	Spec     string     `json:"spec,omitempty"`

	header.Anchor

	AllowSecret bool `json:"-"` // commit it also when it looks like a credential
}

// Learned is the outcome of Learn.
type Learned struct {
	Learnings []journal.Captured `json:"learnings"` // those that were captured now
	vault.Warned
}

// Do captures the learnings in one commit. A finding that has led to a learning already is
// passed over, so that a second time writes nothing new.
func (o Learn) Do(ctx context.Context, v *vault.Vault) (Learned, error) {
	return vault.Run(ctx, v, o, vault.Options{AllowSecret: o.AllowSecret})
}

// Name is the verb's.
func (o Learn) Name() string { return "findings fix" }

// Plan captures a learning for each category in which findings were fixed.
func (o Learn) Plan(ctx context.Context, tx *vault.Tx) (Learned, error) {
	out := Learned{Learnings: []journal.Captured{}}
	fixed, docs, said, err := o.listFixed(ctx, tx)
	if err != nil {
		return out, err
	}
	for _, g := range Route(fixed) {
		if err := o.capture(ctx, tx, &out, learning(g), lessons(g), g.Findings, docs); err != nil {
			return out, err
		}
	}
	for _, text := range o.Texts {
		title := journal.TitleOf(strings.TrimSpace(text))
		if title == "" || said[title] {
			continue
		}
		said[title] = true
		all := make([]Known, 0, len(docs))
		for _, id := range o.Findings {
			if d := docs[id]; d != nil {
				all = append(all, FromMemory(d.Mem))
			}
		}
		body := ""
		if strings.TrimSpace(text) != title {
			body = strings.TrimSpace(text)
		}
		if err := o.capture(ctx, tx, &out, title, body, all, docs); err != nil {
			return out, err
		}
	}
	if len(out.Learnings) > 0 {
		tx.About(out.Learnings[0].ID, vault.Plural(len(out.Learnings), "learning", "learnings"))
	}
	return out, nil
}

// listFixed returns the findings that are resolved with a text and have led to no learning yet;
// docs are all that are resolved, and said the titles of the learnings that they have led to.
func (o *Learn) listFixed(ctx context.Context, tx *vault.Tx) (all []Known, docs map[vault.ID]*vault.Doc, said map[string]bool, err error) {
	docs, said = make(map[vault.ID]*vault.Doc), make(map[string]bool)
	for _, id := range o.Findings {
		d, err := tx.Open(ctx, string(id))
		if err != nil {
			return nil, nil, nil, err
		}
		k := FromMemory(d.Mem)
		if k.ID = d.ID; d.Mem.Type != string(header.Finding) || k.Open() {
			continue
		}
		docs[d.ID] = d
		titles, err := learnings(ctx, tx, &k)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, title := range titles {
			said[title] = true
		}
		if len(titles) == 0 && k.Resolution != "" {
			all = append(all, k)
		}
	}
	return all, docs, said, nil
}

// learnings returns the titles of the learnings that a finding relates to.
func learnings(ctx context.Context, tx *vault.Tx, k *Known) (titles []string, err error) {
	for _, ref := range k.relates {
		d, err := tx.Open(ctx, ref)
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous: // deleted since
		case err != nil:
			return nil, err
		case d.Mem.Type == string(header.Learning):
			titles = append(titles, d.Mem.Title)
		}
	}
	return titles, nil
}

// learning is the title of what was learned by fixing findings.
func learning(g Group) string {
	names := make([]string, len(g.Findings))
	for i := range g.Findings {
		names[i] = g.Findings[i].Summary
	}
	return journal.TitleOf("Fixed " + vault.Plural(len(names), g.Category+" finding", g.Category+" findings") + ": " + strings.Join(names, "; "))
}

// lessons lists the findings with how each was fixed.
func lessons(g Group) string {
	p := new(page)
	for i := range g.Findings {
		p.writeLine("- %s", g.Findings[i].describeInLine())
		p.writeItemQuote(g.Findings[i].Resolution)
	}
	return p.String()
}

// capture captures one learning that relates to the findings, as they do to it.
func (o *Learn) capture(ctx context.Context, tx *vault.Tx, out *Learned, title, body string, from []Known, docs map[vault.ID]*vault.Doc) error {
	c := journal.Capture{Kind: string(header.Learning), Title: title, Body: body, Spec: o.Spec, Anchor: o.Anchor}
	for i := range from {
		c.Relates = append(c.Relates, string(from[i].ID))
	}
	var err error
	if c.ID, c.Created, err = tree.Stamp(ctx, tx, "", time.Time{}); err != nil {
		return err
	}
	made, err := c.Plan(ctx, tx)
	if err != nil {
		return err
	}
	for i := range from {
		d := docs[from[i].ID]
		if err := tx.Adopt(ctx, d); err != nil {
			return err
		}
		if err := tx.Edit(d, vault.Step{Op: vault.OpAddToList, Key: "relates_to", List: []string{string(made.ID)}}); err != nil {
			return err
		}
	}
	out.Learnings = append(out.Learnings, made)
	return nil
}
