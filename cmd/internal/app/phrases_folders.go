package app

import (
	"context"
	"errors"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/tree"
)

// summarizeFolders has phrases written for folders that have no memory of their own. A
// folder whose phrase is approved gets a memory, in a commit of its own.
func (s *Session) summarizeFolders(ctx context.Context, o Summarize, g phrase.Generator, who Person) (out phrase.Result, err error) {
	var all []*tree.Folder
	err = s.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		all, err = tree.Folders(ctx, t)
		return err
	})
	if o.Limit > 0 && len(all) > o.Limit {
		all = all[:o.Limit]
	}
	out = phrase.Result{DryRun: o.DryRun, Rows: []phrase.Row{}}
	for _, f := range all {
		out.Rows = append(out.Rows, phrase.Row{Title: string(f.Path) + "/", Path: f.Path + ".md", Outcome: phrase.Left})
	}
	for i, f := range all {
		row := &out.Rows[i]
		if o.DryRun {
			row.Outcome = phrase.Chosen
			continue
		}
		if ctx.Err() != nil {
			return out, errors.Join(err, context.Cause(ctx))
		}
		summary, verdict, ferr := s.folderPhrase(ctx, o, g, who, f, len(all) > 1)
		if ferr == nil && verdict == phrase.Accept {
			var made tree.Parented
			made, ferr = tree.AddParent{Dir: f.Path, Summary: summary, Written: true}.Do(ctx, s.Vault)
			row.ID, row.Summary = made.ID, made.Summary
			out.Warnings = append(out.Warnings, made.Warnings...)
		}
		switch {
		case ferr != nil:
			row.Outcome, row.Reason = phrase.Failed, ferr.Error()
			out.Failed++
		case verdict == phrase.Quit:
			out.Left = len(all) - i
			return out, err
		case verdict == phrase.Skip:
			row.Outcome = phrase.Skipped
			out.Skipped++
		default:
			row.Outcome = phrase.Written
			out.Written++
			out.Commits++
		}
	}
	return out, err
}

// folderPhrase asks the model about a folder, and the person about what it says.
func (s *Session) folderPhrase(ctx context.Context, o Summarize, g phrase.Generator, who Person, f *tree.Folder, many bool) (string, phrase.Verdict, error) {
	var text strings.Builder
	text.WriteString("A folder with these memories:\n")
	for _, n := range f.Nodes {
		text.WriteString("- " + n.Title + "\n")
	}
	for _, sub := range f.Folders {
		text.WriteString("- " + sub.Name + "\n")
	}
	reply, err := phrase.Ask(ctx, g, phrase.Question{Title: string(f.Path) + "/", Text: text.String()})
	if err != nil || o.AutoApprove {
		return reply.Summary, phrase.Accept, err
	}
	s.app.warn(reply.Warnings...)
	summary, verdict := who.Approve(ctx, Proposal{Title: string(f.Path) + "/", Summary: reply.Summary, Many: many})
	return summary, verdict, nil
}
