package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// Observed is the outcome of Observe, with what a face tells of it.
type Observed struct {
	journal.Observed
	family.Origin             // of what is counted in another vault than the current one
	Similar       []tree.Like `json:"similar,omitempty"` // what says nearly the same as a new one
	Busy          string      `json:"-"`                 // what is under way in the repository, where the observation waits in the outbox
}

// Observe counts what a session has seen. A text that is the id of a memory counts for that
// memory. A new observation relates to the memories that say nearly the same; they are
// looked for before anything is locked.
func (s *Session) Observe(ctx context.Context, o journal.Observe) (Observed, error) {
	if o.Session == "" {
		o.Session = s.session()
	}
	if s.IsID(ctx, o.Text) {
		o.Ref, o.Text = o.Text, ""
	}
	var near []recall.Neighbour
	if o.Ref == "" {
		near = s.Finder().FindNear(ctx, &vault.Memory{Prose: o.Text}, recall.AlikeFrom)
		for _, n := range near {
			o.Relates = append(o.Relates, string(n.ID))
		}
	}
	o.Analyse = s.Lexicon.Analyser()
	out, err := o.Do(ctx, s.Vault)
	if err != nil || !out.Queued {
		all := Observed{Observed: out}
		if out.New {
			all.Similar = recall.AsLikes(near)
		}
		return all, err
	}
	head, err := s.Store.Head(ctx)
	return Observed{Observed: out, Busy: head.Busy}, err
}

// IsID reports whether a text is the whole id of a memory.
func (s *Session) IsID(ctx context.Context, text string) bool {
	if strings.ContainsAny(text, " \t\n") {
		return false
	}
	d, err := s.Vault.Reading().Open(ctx, text)
	return err == nil && d.ID.Fold() == vault.ID(text).Fold()
}

// session returns the name of the session that calls: the agent's own, else one for the
// user, the machine, the agent and the day in UTC.
func (s *Session) session() string {
	if name := s.namedSession(); name != "" {
		return name
	}
	host, _ := os.Hostname()
	day := s.app.Now().UTC().Format("2006-01-02")
	sum := sha256.Sum256([]byte(strings.Join([]string{s.app.Env("USER"), host, s.Vault.Agent, day}, "\x00")))
	return day + "-" + hex.EncodeToString(sum[:4])
}

// Promote promotes an entry. Where no phrase is given a language model writes one, if one is
// configured, before anything is locked.
func (s *Session) Promote(ctx context.Context, o journal.Promote) (journal.Promoted, error) {
	o.Thresholds = s.Settings.Promotion.Thresholds
	if o.Summary == "" && s.Settings.Generation.IsConfigured() {
		s.PhraseFor(ctx, &o)
	}
	return o.Do(ctx, s.Vault)
}

// PhraseFor has a model write the phrase of an entry. If it fails the entry gets a
// placeholder, and a warning tells why.
func (s *Session) PhraseFor(ctx context.Context, o *journal.Promote) {
	n, m, err := s.Text(ctx, o.Ref)
	if err != nil || m.Summary != "" {
		return
	}
	g, err := s.generator()
	if err == nil {
		var reply phrase.Reply
		if reply, err = phrase.Ask(ctx, g, phrase.Question{Title: n.Title, Text: m.Prose}); err == nil {
			o.Summary, o.Written = reply.Summary, true
			return
		}
	}
	s.app.warn("no phrase was written: " + err.Error())
}

// PromoteUp moves a memory up one level in the tree. An entry of the journal has no place
// there yet.
func (s *Session) PromoteUp(ctx context.Context, o tree.Promote) (tree.Moved, error) {
	d, err := s.Vault.Reading().Open(ctx, o.Ref)
	if err == nil && d.IsEntry() && !d.Mem.InTree() {
		return tree.Moved{}, vault.Errorf(vault.CodeInvalid, "`cp memory promote "+string(d.ID)+" --to long-term` gives it a place",
			"%s is an entry of the journal, and has no place in the tree", d.ID)
	}
	return o.Do(ctx, s.Vault)
}
