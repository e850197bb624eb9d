package app

import (
	"context"
	"errors"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// Added is a new memory, with what a face tells of it.
type Added struct {
	tree.Added
	Busy string `json:"-"` // what is under way in the repository, where the memory waits in the outbox; see [vault.Head]
}

// Add creates a root memory, and tells what says the same already.
func (s *Session) Add(ctx context.Context, o tree.Add) (Added, error) {
	if err := s.BindNew(ctx, &o.New); err != nil {
		return Added{}, err
	}
	o.Relates = s.relates(ctx, &vault.Memory{Header: vault.Header{Title: o.Title}, Prose: o.Text})
	a, err := o.Do(ctx, s.Vault)
	return s.completeAnswer(ctx, a, err)
}

// relates returns the memories that say nearly the same as what an agent is about to add: it
// relates to them, so that a person finds it in the queue. They are looked for before
// anything is locked. A person is told instead, and needs no queue.
func (s *Session) relates(ctx context.Context, m *vault.Memory) (ids []string) {
	if s.Settings.Agent == "" {
		return nil
	}
	for _, n := range s.Finder().FindNear(ctx, m, recall.AlikeFrom) {
		if !n.ID.Provisional() {
			ids = append(ids, string(n.ID))
		}
	}
	return ids
}

// completeAnswer completes the answer.
func (s *Session) completeAnswer(ctx context.Context, a tree.Added, err error) (Added, error) {
	if err != nil {
		return Added{}, err
	}
	if a.Duplicate {
		return Added{Added: a}, nil
	}
	if !a.Queued {
		a.Similar = s.Finder().FindAlike(ctx, a.Path)
		return Added{Added: a}, nil
	}
	head, err := s.Store.Head(ctx)
	return Added{Added: a, Busy: head.Busy}, err
}

// Person is who sits before a face. Who does not answer has not agreed.
type Person interface {
	// IsAttended reports whether somebody is there to answer.
	IsAttended() bool

	// Deep asks whether a memory may get so deep; the error is a no.
	Deep(ctx context.Context, depth int) error

	// Approve shows a generated phrase until the person has decided, and returns
	// the phrase that they accept.
	Approve(ctx context.Context, p Proposal) (string, phrase.Verdict)

	// Phrase asks for a phrase if the model's reply cannot be used; why is the reason.
	// Without an answer it returns "".
	Phrase(ctx context.Context, why error) string
}

// Proposal is a generated trigger phrase that a person is to look at.
type Proposal struct {
	Title       string
	ID          vault.ID // empty for a memory that is not there yet
	ParentTitle string
	ParentID    vault.ID // empty for a root
	Now         string   // the phrase it has; empty for none
	Summary     string
	Suggestion  string // for the parent's prose, which nobody but a person changes
	Many        bool   // others follow
}

// AddSub creates a memory below another one.
type AddSub struct {
	tree.AddSub
	AutoApprove bool `flag:"auto-approve" help:"ask nothing: take a generated summary unseen, go below depth 5"`
}

// AddSub checks the parent, asks where the place is deep, has a phrase written
// where none is given, and writes. Nothing is locked while the model or the
// person thinks; the parent is read again afterwards.
func (s *Session) AddSub(ctx context.Context, o AddSub, who Person) (Added, error) {
	if err := o.TakeUp(); err != nil {
		return Added{}, err
	}
	if err := s.BindNew(ctx, &o.New); err != nil {
		return Added{}, err
	}
	parent, err := o.Under(ctx, s.Vault)
	if err != nil {
		return Added{}, err
	}
	var g phrase.Generator
	if strings.TrimSpace(o.Summary) == "" {
		if g, err = s.generator(); err != nil {
			return Added{}, err
		}
		if err := requireApproval(o.AutoApprove, who, "nothing was created"); err != nil {
			return Added{}, err
		}
	}
	if depth := parent.Depth + 1; depth > tree.EasyDepth && !o.AutoApprove {
		if err := who.Deep(ctx, depth); err != nil {
			return Added{}, err
		}
	}
	if g != nil {
		if err := s.draft(ctx, g, &o, who); err != nil {
			return Added{}, err
		}
	}
	o.Relates = s.relates(ctx, &vault.Memory{Header: vault.Header{Title: o.Title}, Prose: o.Body})
	a, err := o.Do(ctx, s.Vault)
	return s.completeAnswer(ctx, a, err)
}

// draft has the model write o's phrase and a person approve it.
func (s *Session) draft(ctx context.Context, g phrase.Generator, o *AddSub, who Person) error {
	parent, text, err := s.Text(ctx, o.Parent)
	if err != nil {
		return err
	}
	reply, err := phrase.Ask(ctx, g, phrase.Question{ParentID: parent.ID, Parent: text.Prose, Title: o.Title, Text: o.Body})
	failed := errors.Is(err, phrase.ErrReply) || vault.CodeOf(err) == vault.CodeGeneration
	if failed && ctx.Err() == nil && who.IsAttended() && !o.AutoApprove {
		if o.Summary = who.Phrase(ctx, err); o.Summary == "" {
			return errDeclined()
		}
		return nil
	}
	if err != nil {
		return errUngenerated(err)
	}
	o.Summary, o.Written = reply.Summary, true
	if o.AutoApprove {
		return nil // a phrase that is long is warned about when it is written
	}
	s.app.warn(reply.Warnings...)
	summary, verdict := who.Approve(ctx, Proposal{Title: o.Title, ParentTitle: parent.Title, ParentID: parent.ID,
		Summary: reply.Summary, Suggestion: reply.Suggestion})
	if verdict != phrase.Accept {
		return errDeclined()
	}
	o.Summary = summary
	return nil
}

// generator returns the model that writes phrases.
func (s *Session) generator() (phrase.Generator, error) {
	if !s.Settings.Generation.IsConfigured() {
		return nil, vault.Errorf(vault.CodeConfig, "cp help generation",
			`AI summary generation requires generation config. Use --no-ai --summary "..." to bypass`)
	}
	return s.app.Generator(s.Settings.Generation)
}

// requireApproval refuses to have phrases written if nobody would look at them. It comes before
// the model is asked, which costs money.
func requireApproval(approve bool, who Person, nothing string) error {
	if approve || who.IsAttended() {
		return nil
	}
	return vault.Errorf(vault.CodeConfirm, "take generated summaries unseen with --auto-approve", "nobody there to approve a summary; %s", nothing)
}

func errDeclined() error {
	return vault.Errorf(vault.CodeConfirm, `approve with a, or write it yourself with --no-ai --summary "..."`, "cancelled; nothing was created")
}

// errUngenerated says of a failure of the model that nothing was created, and how
// to go on without it.
func errUngenerated(err error) error {
	e := new(vault.Error)
	if vault.CodeOf(err) != vault.CodeGeneration || !errors.As(err, &e) {
		return err
	}
	return vault.Errorf(e.Code, e.Hint+`; or bypass it with --no-ai --summary "..."`, "summary generation failed, and nothing was created: %s", e.Msg)
}
