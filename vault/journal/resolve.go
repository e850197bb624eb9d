package journal

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// Resolve closes any memory, and keeps how it ended.
type Resolve struct {
	Ref        string `json:"id" need:"yes"`
	Resolution string `json:"resolution,omitempty" flag:"resolution" help:"<text> on how it ended; goes to the end of the section Resolution"`
	Learning   string `json:"learning,omitempty" flag:"learning" help:"<text> of a learning to capture beside it"`

	AllowSecret bool `json:"-"` // commit it also when it looks like a credential
}

// Resolved is the outcome of Resolve.
type Resolved struct {
	Success bool `json:"success"`
	tree.Amended
	Learning *Captured `json:"learning,omitempty"`
}

// Do closes a memory in one commit.
func (o Resolve) Do(ctx context.Context, v *vault.Vault) (Resolved, error) {
	return vault.Run(ctx, v, o, vault.Options{AllowSecret: o.AllowSecret})
}

// Name is the verb's.
func (o Resolve) Name() string { return "resolve" }

// Plan closes the memory. A text that stands in it already is not written again, and a
// learning that it has led to already is not captured again.
func (o Resolve) Plan(ctx context.Context, tx *vault.Tx) (out Resolved, err error) {
	d, err := tx.OpenMemory(ctx, o.Ref)
	switch {
	case err != nil:
		return out, err
	case d.Mem.Header.Journal != "":
		return out, vault.Errorf(vault.CodeInvalid, "name one of its entries", "%s is the root of the journal, which stays open", d.ID)
	}
	text, again := LowerHeadings(strings.TrimSpace(o.Resolution)), d.Mem.Status == vault.StatusClosed
	if strings.Contains(d.Mem.Prose, text) && again {
		text = ""
	}
	said := d.Mem.Header.Resolution
	closed := vault.StatusClosed
	if out.Amended, err = (tree.Amend{Ref: string(d.ID), Status: &closed, Resolution: text, Verb: o.Name()}).Plan(ctx, tx); err != nil {
		return out, err
	}
	if line := firstLine(text); line != "" && (said == "" || !again) {
		if err := tx.Edit(d, vault.Step{Op: vault.OpSetKey, Key: "resolution", Value: line}); err != nil {
			return out, err
		}
	}
	if strings.TrimSpace(o.Learning) != "" {
		out.Learning, err = o.learn(ctx, tx, d)
	}
	out.Unchanged = out.Unchanged && out.Learning == nil
	out.Success = err == nil
	tx.About(d.ID, d.Mem.Title)
	return out, err
}

// firstLine returns the first line of a text, cut at the length of a title.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return TitleOf(line)
}

// TitleOf returns a line as the title of an entry: at most MaxTitle characters.
func TitleOf(line string) string {
	line = strings.Join(strings.Fields(strings.TrimLeft(line, "#")), " ")
	if utf8.RuneCountInString(line) <= MaxTitle {
		return line
	}
	return strings.TrimSpace(string([]rune(line)[:MaxTitle-1])) + "…"
}

// learn captures a learning that relates to d, as d does to it; nil where d has led to it
// already.
func (o Resolve) learn(ctx context.Context, tx *vault.Tx, d *vault.Doc) (*Captured, error) {
	title := TitleOf(strings.ReplaceAll(strings.TrimSpace(o.Learning), "\n", " "))
	if again, err := hasLearning(ctx, tx, d, title); err != nil || again {
		return nil, err
	}
	c := Capture{Kind: string(header.Learning), Title: title, Spec: d.Mem.Spec, Phase: d.Mem.Phase, Relates: []string{string(d.ID)}}
	if vault.IsCommit(d.Mem.Commit) { // a person may have typed anything there
		c.Anchor = d.Mem.Anchor
	}
	if title != strings.TrimSpace(o.Learning) {
		c.Body = strings.TrimSpace(o.Learning)
	}
	var err error
	if c.ID, c.Created, err = tree.Stamp(ctx, tx, "", time.Time{}); err != nil {
		return nil, err
	}
	out, err := c.Plan(ctx, tx)
	if err != nil {
		return nil, err
	}
	if err := tx.Adopt(ctx, d); err != nil {
		return nil, err
	}
	return &out, tx.Edit(d, vault.Step{Op: vault.OpAddToList, Key: "relates_to", List: []string{string(out.ID)}})
}

// hasLearning reports whether d relates to a learning of that title.
func hasLearning(ctx context.Context, tx *vault.Tx, d *vault.Doc, title string) (bool, error) {
	for _, ref := range d.Mem.Refers("relates_to") {
		other, err := tx.Open(ctx, ref)
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous: // deleted since
		case err != nil:
			return false, err
		case other.Mem.Type == string(header.Learning) && other.Mem.Title == title:
			return true, nil
		}
	}
	return false, nil
}
