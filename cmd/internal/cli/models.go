package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// maxConcurrency bounds --concurrency: more is a way to be shut out.
const maxConcurrency = 64

// summarize writes or renews trigger phrases in bulk.
func (f face) summarize() *cobra.Command {
	o := app.Summarize{AtOnce: 4}
	cmd := &cobra.Command{
		Use:   "summarize [<id>…]",
		Short: "Have a language model write trigger phrases, for many memories",
		Long: `A language model (cp help generation) is shown each memory with its parent and
writes the phrase that says when one needs it. You approve, edit or cancel each;
--auto-approve takes them unseen. Every 25 are one commit, so an interrupted run
keeps its commits, and a second one with --missing continues.

A phrase is missing if there is none, or a placeholder. It is stale if a model
wrote it for an earlier text of the memory. Phrases that people wrote are never
stale. A closed memory is asked about only if you name its id.

With --folders it is shown the titles in each folder that has no memory of its own.
A folder whose phrase is approved gets a memory, as by "cp memory add-parent".`,
		Example: `  cp memory summarize pf-7k2m9qx4
  cp memory summarize --missing --auto-approve --concurrency 8
  cp memory summarize --missing --stale --limit 100
  cp memory summarize --all-children-of pf-7k2m9qx4 --dry-run`,
		Args: func(cmd *cobra.Command, args []string) error {
			o.Refs = args
			return checkSummarize(cmd, o)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Limit = f.Form.Rows()
			return f.ReadIfDry(o.DryRun, f.Write)(cmd.Context(), func(s *app.Session) error {
				r, err := s.Summarize(cmd.Context(), o, f.Person(s))
				if len(r.Rows) == 0 && err != nil {
					return err
				}
				if err := console.AnswerWith(f.Console, r, render.WriteSummarized); err != nil {
					return err
				}
				return app.ErrUnsummarized(r, err)
			})
		},
	}
	console.Refs(cmd, console.AllRefs)
	console.Bind(cmd, &o)
	return cmd
}

func checkSummarize(cmd *cobra.Command, o app.Summarize) error {
	switch {
	case len(o.Refs) > 0 && o.ChildrenOf != "":
		return console.Invalid(cmd, "cannot use both ids and --all-children-of")
	case o.Folders && (len(o.Refs) > 0 || o.ChildrenOf != "" || o.Missing || o.Stale):
		return console.Invalid(cmd, "--folders stands alone")
	case len(o.Refs) == 0 && o.ChildrenOf == "" && !o.Missing && !o.Stale && !o.Folders:
		return console.Invalid(cmd, "say which: ids, --missing, --stale, --all-children-of or --folders")
	}
	return console.CheckBounds(cmd, "concurrency", maxConcurrency)
}

// embedBackfill makes the vectors that are missing.
func (f face) embedBackfill() *cobra.Command {
	var o embed.Run
	var background bool
	cmd := &cobra.Command{
		Use:   "embed-backfill",
		Short: "Make the missing vectors",
		Long: `Writes never wait for an embedding model: a process in the background gives what was
written its vector, and this command makes all that are missing. Each batch is kept when
it is done: stop it whenever you like and run it again. "cp help vectors" tells how to
choose a model.`,
		Example: `  cp admin embed-backfill --dry-run
  cp admin embed-backfill --batch-size 100
  cp admin embed-backfill --prune`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("batch-size") && (o.Batch < 1 || o.Batch > console.MaxLimit) {
				return vault.Errorf(vault.CodeInvalid, "", "--batch-size must be 1-%d", console.MaxLimit)
			}
			if background {
				return f.With(cmd.Context(), func(s *app.Session) error { return s.EmbedQuietly(cmd.Context()) })
			}
			return f.Read(cmd.Context(), func(s *app.Session) error {
				done, err := s.Embed(cmd.Context(), o)
				if err != nil && done.Embedded == 0 {
					return err
				}
				told := console.AnswerWith(f.Console, done, func(s render.Screen, d embed.Done) { render.WriteEmbedded(s, d, o.DryRun) })
				return app.ErrUnembedded(done, cmp.Or(err, told))
			})
		},
	}
	console.Bind(cmd, &o)
	cmd.Flags().BoolVar(&background, "background", false, "be the process that a write starts")
	_ = cmd.Flags().MarkHidden("background")
	return cmd
}
