package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/tree"
)

// add creates a root memory.
func (f face) add() *cobra.Command {
	var o tree.Add
	var file string
	var labelFlags, referenceFlags []string
	cmd := &cobra.Command{
		Use:   "add <text>",
		Short: "Create a root memory",
		Example: `  cp memory add "Deployment overview: Nomad" --label deployment,nomad
  cp memory add --title Deployment --body-file deployment.md
  git log -1 --format=%B | cp memory add --body-file -`,
		Args: takes(0, 1, "one text in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := f.addedText(cmd, args, file)
			if err != nil {
				return err
			}
			o.Text, o.Labels, o.References = text, split(labelFlags), split(referenceFlags)
			return f.write(cmd.Context(), func(s *app.Session) error {
				added, err := o.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.added(cmd.Context(), s, added, render.Added)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Title, "title", "", "the `title` (default: the first 200 characters of the text)")
	flags.StringVar(&file, "body-file", "", "read the text from a `file`; - is stdin")
	flags.StringArrayVar(&labelFlags, "label", nil, "`labels`, separated by commas or repeated")
	flags.StringVar(&o.Summary, "summary", "", "the trigger `phrase`: when one needs this memory")
	flags.StringArrayVar(&referenceFlags, "references", nil, "`ids` of memories this one refers to")
	flags.StringVar(&o.Type, "type", "", "the file's `type` (default memory)")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// addedText is the text to add: the argument or the file.
func (f face) addedText(cmd *cobra.Command, args []string, file string) (string, error) {
	fromFile := cmd.Flags().Changed("body-file")
	switch {
	case fromFile && len(args) > 0:
		return "", invalid(cmd, "cannot use both a text and --body-file")
	case fromFile:
		return f.readText(file)
	case len(args) == 0:
		return "", invalid(cmd, "a text or --body-file is required")
	}
	return args[0], nil
}

// added answers for add and add-sub; what waits in the outbox has its own exit code.
func (f face) added(ctx context.Context, s *app.Session, a tree.Added, text func(render.Screen, tree.Added)) error {
	if !a.Queued {
		a.Similar = f.Finder(s).Alike(ctx, a.Path)
		render.Similar(f.errs(), a)
		return f.said(a.Warnings, a, func(screen render.Screen) { text(screen, a) })
	}
	head, err := s.Store.Head(ctx)
	if err != nil {
		return err
	}
	if err := f.said(a.Warnings, a, func(screen render.Screen) { render.Queued(screen, head.Busy, a.Why) }); err != nil {
		return err
	}
	return errQueued
}

// deep is the deepest place below which add-sub asks: every level costs an
// agent another read.
const deep = 5

// addSub creates a memory below another one.
func (f face) addSub() *cobra.Command {
	var o tree.AddSub
	var body bodyFlags
	var labelFlags []string
	var noAI, approve bool
	cmd := &cobra.Command{
		Use:   "add-sub <parent-id>",
		Short: "Create a memory below another",
		Long: `The parent's file gets a pointer to the new memory: its title and the summary, a
phrase that tells an agent when it needs to read on.

Without --summary a language model writes the phrase, if one is configured (cp
help generation), and you approve, edit or cancel it. What it suggests for the
parent's text is shown and never applied.`,
		Example: `  cp memory add-sub pf-7k2m9qx4 --title Troubleshooting --body-file troubleshoot.md \
      --summary "If deploy succeeds but service unchanged"
  cp memory add-sub pf-7k2m9qx4 --title Rollback --body "nomad job revert …" \
      --label deployment,nomad --summary "Steps to revert a bad deploy" --no-ai`,
		Args:              takes(1, 1, "a parent's id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Parent, o.Labels = args[0], split(labelFlags)
			if err := checkAddSub(cmd, o, &body, noAI); err != nil {
				return err
			}
			text, err := body.read(f, cmd)
			if err != nil {
				return err
			}
			o.Body = text
			return f.write(cmd.Context(), func(s *app.Session) error {
				return f.runAddSub(cmd.Context(), s, o, approve)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Title, "title", "", "the `title` (required)")
	body.bind(cmd)
	flags.StringArrayVar(&labelFlags, "label", nil, "`labels`, separated by commas or repeated")
	flags.StringVar(&o.Summary, "summary", "", "the trigger `phrase`: when one needs this memory")
	flags.BoolVar(&noAI, "no-ai", false, "do not generate a summary; needs --summary")
	flags.BoolVar(&approve, "auto-approve", false, "ask nothing: take a generated summary unseen, go below depth 5")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// checkAddSub checks the command line, before anything is opened.
func checkAddSub(cmd *cobra.Command, o tree.AddSub, body *bodyFlags, noAI bool) error {
	given, err := body.given(cmd)
	switch {
	case strings.TrimSpace(o.Title) == "":
		return invalid(cmd, "--title is required")
	case err != nil:
		return err
	case !given:
		return invalid(cmd, "--body or --body-file is required")
	case noAI && strings.TrimSpace(o.Summary) == "":
		return invalid(cmd, "--summary required when using --no-ai.")
	}
	return nil
}

// runAddSub checks the parent, asks where the place is deep, has a phrase
// written where none is given, and writes. Nothing is locked while the model or
// the person thinks; the parent is read again afterwards.
func (f face) runAddSub(ctx context.Context, s *app.Session, o tree.AddSub, approve bool) error {
	parent, err := o.Under(ctx, s.Vault)
	if err != nil {
		return err
	}
	var g phrase.Generator
	if strings.TrimSpace(o.Summary) == "" {
		if g, err = f.generator(s); err != nil {
			return err
		}
		if err := f.unattended(approve, "nothing was created"); err != nil {
			return err
		}
	}
	if err := f.askDepth(ctx, parent.Depth+1, approve); err != nil {
		return err
	}
	if g != nil {
		if err := f.generate(ctx, s, g, &o, approve); err != nil {
			return err
		}
	}
	added, err := o.Do(ctx, s.Vault)
	if err != nil {
		return err
	}
	return f.added(ctx, s, added, render.AddedSub)
}

// askDepth asks before a memory gets where every reading takes many steps.
func (f face) askDepth(ctx context.Context, depth int, approve bool) error {
	if depth <= deep || approve {
		return nil
	}
	return f.ask(ctx, func(s render.Screen) {
		s.Printf("This memory will be at depth %d. Deep hierarchies increase access latency. Continue? (y/n) ", depth)
	}, "--auto-approve", "nothing was created")
}

// generate has the model write o's phrase and a person approve it.
func (f face) generate(ctx context.Context, s *app.Session, g phrase.Generator, o *tree.AddSub, approve bool) error {
	parent, text, err := s.Text(ctx, o.Parent)
	if err != nil {
		return err
	}
	reply, err := phrase.Ask(ctx, g, phrase.Question{ParentID: parent.ID, Parent: text.Prose, Title: o.Title, Text: o.Body})
	if errors.Is(err, phrase.ErrReply) && f.attended() && !approve {
		if o.Summary = f.typePhrase(ctx, err); o.Summary == "" {
			return declined()
		}
		return nil
	}
	if err != nil {
		return ungenerated(err)
	}
	o.Summary, o.Written = reply.Summary, true
	if approve {
		return nil // a phrase that is long is warned about when it is written
	}
	f.warn(reply.Warnings...)
	summary, verdict := f.approve(ctx, s, render.Proposal{Title: o.Title, ParentTitle: parent.Title, ParentID: parent.ID,
		Summary: reply.Summary, Suggestion: reply.Suggestion})
	if verdict != phrase.Accept {
		return declined()
	}
	o.Summary = summary
	return nil
}

func declined() error {
	return vault.Errorf(vault.CodeConfirm, `approve with a, or write it yourself with --no-ai --summary "..."`, "cancelled; nothing was created")
}
