package app

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/phrase"
)

// Summarize has a language model write trigger phrases for many memories.
type Summarize struct {
	phrase.Unsummarized
	Folders     bool `flag:"folders" help:"for folders without a memory: each gets one with its phrase"`
	AutoApprove bool `flag:"auto-approve" help:"ask nothing: take each summary unseen"`
	DryRun      bool `flag:"dry-run" help:"list what would be asked, ask nothing"`
	AtOnce      int  `flag:"concurrency" help:"how many <questions> are asked at once, 1-64"`
}

// Summarize asks, has approved and writes, and returns what became of each
// memory, also where it was stopped.
func (s *Session) Summarize(ctx context.Context, o Summarize, who Person) (phrase.Result, error) {
	var g phrase.Generator
	if !o.DryRun {
		var err error
		if g, err = s.generator(); err != nil {
			return phrase.Result{}, err
		}
		if err := requireApproval(o.AutoApprove, who, "nothing was asked"); err != nil {
			return phrase.Result{}, err
		}
	}
	if o.Folders {
		return s.summarizeFolders(ctx, o, g, who)
	}
	nodes, err := o.Find(ctx, s.Vault)
	if err != nil || o.DryRun {
		return phrase.Plan(nodes), err
	}
	bulk := phrase.Bulk{Vault: s.Vault, Generator: g, AtOnce: o.AtOnce}
	if o.AutoApprove {
		set, end := s.app.progress("summarizing", len(nodes))
		defer end()
		bulk.Progress = set
	} else {
		bulk.Approve = s.approver(who, len(nodes) > 1)
	}
	return bulk.Run(ctx, nodes)
}

// approver asks the person about each draft.
func (s *Session) approver(who Person, many bool) func(context.Context, phrase.Draft) (string, phrase.Verdict) {
	return func(ctx context.Context, d phrase.Draft) (string, phrase.Verdict) {
		s.app.warn(d.Reply.Warnings...)
		n := d.Node
		p := Proposal{Title: n.Title, ID: n.ID, ParentTitle: n.ParentTitle, ParentID: n.Parent, Summary: d.Reply.Summary, Many: many}
		if n.Parent != "" {
			p.Suggestion = d.Reply.Suggestion
		}
		if !n.Phraseless() {
			p.Now = n.Summary
		}
		return who.Approve(ctx, p)
	}
}

// ErrUnsummarized is the error to end with after an answer that tells of failures;
// err is the run's own.
func ErrUnsummarized(r phrase.Result, err error) error {
	if err != nil || r.Failed == 0 {
		return err
	}
	return vault.Errorf(vault.CodeGeneration, "the others are written; run the command again for these", "%d of %d summaries failed", r.Failed, len(r.Rows))
}
