package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/phrase"
)

// maxConcurrency bounds --concurrency: more is a way to be shut out.
const maxConcurrency = 64

// summarize are the options of the command.
type summarize struct {
	phrase.Unsummarized
	approve, dryRun bool
	concurrency     int
}

// summarize writes or renews trigger phrases in bulk.
func (f face) summarize() *cobra.Command {
	var o summarize
	cmd := &cobra.Command{
		Use:   "summarize [<id>…]",
		Short: "Have a language model write trigger phrases, for many memories",
		Long: `A language model (cp help generation) is shown each memory with its parent and
writes the phrase that says when one needs it. You approve, edit or cancel each;
--auto-approve takes them unseen. They are committed by the 25, so an interrupted
run has kept what was committed, and a second one with --missing goes on.

A phrase counts as missing where there is none or a placeholder, and as stale
where a model wrote it for another text than the memory has now. Phrases that
people wrote are never stale. Closed memories are chosen by id only.`,
		Example: `  cp memory summarize pf-7k2m9qx4
  cp memory summarize --missing --auto-approve --concurrency 8
  cp memory summarize --missing --stale --limit 100
  cp memory summarize --all-children-of pf-7k2m9qx4 --dry-run`,
		Args: func(cmd *cobra.Command, args []string) error {
			o.Refs = args
			return o.check(cmd)
		},
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Limit = f.Flags.Limit
			if o.dryRun {
				return f.read(cmd.Context(), func(s *app.Session) error { return f.planSummaries(cmd.Context(), s, o) })
			}
			return f.write(cmd.Context(), func(s *app.Session) error { return f.runSummarize(cmd.Context(), s, o) })
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.Missing, "missing", false, "only memories without a phrase")
	flags.BoolVar(&o.Stale, "stale", false, "only phrases that a model wrote for another text than there is now")
	flags.StringVar(&o.ChildrenOf, "all-children-of", "", "the open memories directly below this `id`")
	flags.BoolVar(&o.approve, "auto-approve", false, "ask nothing: take each summary unseen")
	flags.IntVar(&o.concurrency, "concurrency", 4, "how many `questions` are asked at once, 1-64")
	flags.BoolVar(&o.dryRun, "dry-run", false, "list what would be asked, ask nothing")
	return cmd
}

func (o *summarize) check(cmd *cobra.Command) error {
	switch {
	case len(o.Refs) > 0 && o.ChildrenOf != "":
		return invalid(cmd, "cannot use both ids and --all-children-of")
	case len(o.Refs) == 0 && o.ChildrenOf == "" && !o.Missing && !o.Stale:
		return invalid(cmd, "say which: ids, --missing, --stale or --all-children-of")
	case o.concurrency < 1 || o.concurrency > maxConcurrency:
		return invalid(cmd, "--concurrency must be 1-%d", maxConcurrency)
	}
	return nil
}

// planSummaries lists what would be asked.
func (f face) planSummaries(ctx context.Context, s *app.Session, o summarize) error {
	nodes, err := o.Find(ctx, s.Vault)
	if err != nil {
		return err
	}
	plan := phrase.Plan(nodes)
	return f.answer(plan, func(s render.Screen) { render.Summarized(s, plan) })
}

// runSummarize asks, has approved, writes and tells what became of each, also
// where it was stopped.
func (f face) runSummarize(ctx context.Context, s *app.Session, o summarize) error {
	g, err := f.generator(s)
	if err != nil {
		return err
	}
	if err := f.unattended(o.approve, "nothing was asked"); err != nil {
		return err
	}
	nodes, err := o.Find(ctx, s.Vault)
	if err != nil {
		return err
	}
	bulk := phrase.Bulk{Vault: s.Vault, Generator: g, AtOnce: o.concurrency}
	stop := func() {}
	if o.approve {
		bulk.Progress, stop = f.progress("summarizing", len(nodes))
	} else {
		bulk.Approve = f.approver(s, len(nodes) > 1)
	}
	r, err := bulk.Run(ctx, nodes)
	stop()
	if len(r.Rows) == 0 && err != nil {
		return err
	}
	if said := f.said(r.Warnings, r, func(s render.Screen) { render.Summarized(s, r) }); said != nil {
		return said
	}
	return unsummarized(r, err)
}

// approver asks the person about each draft.
func (f face) approver(s *app.Session, many bool) func(context.Context, phrase.Draft) (string, phrase.Verdict) {
	return func(ctx context.Context, d phrase.Draft) (string, phrase.Verdict) {
		f.warn(d.Reply.Warnings...)
		n := d.Node
		p := render.Proposal{Title: n.Title, ID: n.ID, ParentTitle: n.ParentTitle, ParentID: n.Parent,
			Summary: d.Reply.Summary, Many: many}
		if n.Parent != "" {
			p.Suggestion = d.Reply.Suggestion
		}
		if !n.Phraseless() {
			p.Now = n.Summary
		}
		return f.approve(ctx, s, p)
	}
}

// unsummarized is the error after an answer that tells of failures.
func unsummarized(r phrase.Result, err error) error {
	if err != nil || r.Failed == 0 {
		return err
	}
	return vault.Errorf(vault.CodeGeneration, "the others are written; run the command again for these", "%d of %d summaries failed", r.Failed, len(r.Rows))
}

// embedBackfill makes the vectors that are missing.
func (f face) embedBackfill() *cobra.Command {
	var o embed.Run
	cmd := &cobra.Command{
		Use:   "embed-backfill",
		Short: "Make the vectors that are missing",
		Long: `Writes never wait for an embedding model; this command catches up. Each batch is
kept when it is done: stop it whenever you like and run it again. "cp help
vectors" tells how to choose a model.`,
		Example: `  cp admin embed-backfill --dry-run
  cp admin embed-backfill --batch-size 100
  cp admin embed-backfill --prune`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("batch-size") && (o.Batch < 1 || o.Batch > maxLimit) {
				return vault.Errorf(vault.CodeInvalid, "", "--batch-size must be 1-%d", maxLimit)
			}
			return f.read(cmd.Context(), func(s *app.Session) error { return f.runBackfill(cmd, s, o) })
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what is missing, ask no model")
	cmd.Flags().IntVar(&o.Batch, "batch-size", 0, "`texts` in one request (default embedding.batch, else 32)")
	cmd.Flags().StringArrayVar(&o.Types, "type", nil, "only files of these `types`, like memory,task")
	cmd.Flags().BoolVar(&o.Prune, "prune", false, "drop the vectors of texts that no file holds any more")
	return cmd
}

func (f face) runBackfill(cmd *cobra.Command, s *app.Session, o embed.Run) error {
	e := s.Settings.Embedding
	if !e.Given() {
		return vault.Errorf(vault.CodeConfig, "set embedding.provider in ~/.cp/config.yaml: cp help vectors", "no embedding model is configured")
	}
	if o.Batch == 0 {
		o.Batch = e.Batch
	}
	o.Types = split(o.Types)
	if err := f.fresh(cmd, s); err != nil {
		return err
	}
	bar := gauge{face: f, label: "embedding"}
	o.Progress = bar.at
	done, err := f.Embedder(s).Run(cmd.Context(), o)
	bar.end()
	if err != nil && done.Embedded == 0 {
		return err
	}
	if aerr := f.answer(done, func(s render.Screen) { render.Embedded(s, done, o.DryRun) }); err == nil {
		err = aerr
	}
	if err == nil && done.Failed > 0 {
		err = vault.Errorf(vault.CodeEmbedding, "cp admin embed-backfill tries them again", "%s got no vector: %s: %s",
			counted(done.Failed, "file", "files"), done.Failures[0].Path, done.Failures[0].Message)
	}
	return err
}

// fresh brings the mirror up to date with the files.
func (f face) fresh(cmd *cobra.Command, s *app.Session) error {
	return s.View(cmd.Context(), vault.Scope{}, func(vault.Tree) error { return nil })
}

// gauge is progress for a work whose size shows when it is under way.
type gauge struct {
	face
	label string
	set   func(done int)
	stop  func()
}

func (g *gauge) at(done, total int) {
	if g.set == nil {
		g.set, g.stop = g.progress(g.label, total)
	}
	g.set(done)
}

func (g *gauge) end() {
	if g.stop != nil {
		g.stop()
	}
}
