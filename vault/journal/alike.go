package journal

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
)

// A session seldom says a thing in the words of another one. So a text that is nearly that of an
// observation which waits counts there, by the measure that tells of memories that say nearly the
// same ([recall.AlikeFrom]), and its words are kept in it. A text that a memory of the tree says
// in the same words counts for that memory. Of what a person has denied nothing is counted so: in
// other words it is a new observation, about which they decide.

// otherWords is the heading of the section with the words in which an observation was made, too.
const otherWords = "In other words"

// counterpart returns the memory for which a new text counts; nil if it is a new observation.
func (o *Observe) counterpart(ctx context.Context, tx *vault.Tx) (*vault.Doc, error) {
	d, err := o.inTree(ctx, tx)
	if d != nil || err != nil || o.Analyse == nil {
		return d, err
	}
	return o.findWaiting(ctx, tx)
}

// inTree returns the memory of the tree that says the text in the same words, by its title or
// its prose. Those that say nearly the same were looked for before.
func (o *Observe) inTree(ctx context.Context, tx *vault.Tx) (*vault.Doc, error) {
	normal := tier.Normal(o.Text)
	for _, ref := range append([]string{o.title()}, o.Relates...) {
		d, err := tx.OpenFromMirror(ctx, ref)
		if err != nil {
			continue // a title that is none, or what is gone
		}
		if d.Mem.InTree() && d.Mem.Status != vault.StatusClosed && (tier.Normal(d.Mem.Title) == normal || tier.Normal(d.Mem.Prose) == normal) {
			return tx.OpenMemory(ctx, string(d.ID))
		}
	}
	return nil, nil
}

// findWaiting returns the observation that waits and says nearly the same, of several the likest.
// The mirror knows titles, so only the files of those that are alike are read.
func (o *Observe) findWaiting(ctx context.Context, tx *vault.Tx) (found *vault.Doc, err error) {
	all, _, err := tx.Tree().List(ctx, vault.ListOptions{Types: []string{string(header.Observation)}, Limit: maxWaiting})
	if err != nil {
		return nil, err
	}
	title, text, least := recall.TermsOf(o.title(), o.Analyse), recall.TermsOf(o.Text, o.Analyse), recall.AlikeFrom
	for _, n := range append(all, tx.ListCreated()...) {
		if n.Type != string(header.Observation) || n.InTree() || tier.IsDenied(&n.Header) || title.Overlap(recall.TermsOf(n.Title, o.Analyse)) < recall.AlikeFrom {
			continue
		}
		d, err := tx.OpenFromMirror(ctx, string(n.ID))
		if code := vault.CodeOf(err); code == vault.CodeNotFound || code == vault.CodeAmbiguous {
			continue
		} else if err != nil {
			return nil, err
		}
		like := text.Overlap(recall.TermsOf(observedText(d.Mem), o.Analyse))
		if like > least || like == least && found == nil {
			found, least = d, like
		}
	}
	return found, nil
}

// maxWaiting bounds the observations that are looked at: as many wait only where nobody reviews.
const maxWaiting = 10_000

// observedText returns the text of an observation, as it was made first.
func observedText(m *vault.Memory) string {
	text, _, _ := strings.Cut(m.Prose, "## "+otherWords)
	if text = strings.TrimSpace(text); text == "" {
		return m.Title
	}
	return text
}

// reword keeps the words of an observation that counts for another one.
func (o *Observe) reword(tx *vault.Tx, d *vault.Doc) error {
	if tier.Normal(o.Text) == tier.Normal(observedText(d.Mem)) || d.Mem.InTree() {
		return nil
	}
	item := "- " + strings.ReplaceAll(LowerHeadings(strings.TrimSpace(o.Text)), "\n", "\n  ")
	return tx.Edit(d, vault.Step{Op: vault.OpAddToSection, Name: otherWords, Text: item})
}

// followSuccessor follows a memory that has given way to another one to that, which counts for it.
func followSuccessor(ctx context.Context, tx *vault.Tx, d *vault.Doc) *vault.Doc {
	for range vault.MaxDepth {
		next := d.Mem.Refers("superseded_by")
		if d.Mem.Status != vault.StatusClosed || len(next) == 0 {
			return d
		}
		to, err := tx.OpenMemory(ctx, next[0])
		if err != nil {
			return d
		}
		d = to
	}
	return d
}
