package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/cmd/internal/render"
)

// extract draws facts.
func (f face) extract() *cobra.Command {
	o := knowledge.Extract{AtOnce: 4}
	cmd := &cobra.Command{
		Use:   "extract [<id>…]",
		Short: "Have a language model draw the facts of memories",
		Long: `A language model (cp help generation) is shown each memory as HEAD has it, and lists what
it speaks of. What it will cost is told first. Every 25 memories are one commit, so an
interrupted run keeps its commits, and a second one with --missing continues. What was
written by hand stays, and what was removed does not come back (cp help graph).

Facts are missing if no model has drawn any, and stale if the text has changed since.`,
		Example: `  cp memory extract pf-7k2m9qx4
  cp memory extract --missing --stale --dry-run
  cp memory extract --missing --under pf-7k2m9qx4 --concurrency 8`,
		Args: func(cmd *cobra.Command, args []string) error {
			o.Refs = args
			switch {
			case len(args) > 0 && o.Under != "":
				return console.Invalid(cmd, "cannot use both ids and --under")
			case len(args) == 0 && o.Under == "" && !o.Missing && !o.Stale:
				return console.Invalid(cmd, "say which: ids, --missing, --stale or --under")
			}
			return console.CheckBounds(cmd, "concurrency", maxConcurrency)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Limit = f.Form.Rows()
			return f.ReadIfDry(o.DryRun, f.Write)(cmd.Context(), func(s *app.Session) error {
				r, err := f.knowledge(s).Extract(cmd.Context(), o, func(cost string) { f.Errs().Println(cost) })
				if len(r.Rows) == 0 && err != nil {
					return err
				}
				if err := console.AnswerWith(f.Console, r, render.WriteExtracted); err != nil {
					return err
				}
				return knowledge.ErrUnextracted(r, err)
			})
		},
	}
	console.Refs(cmd, console.AllRefs)
	console.Bind(cmd, &o)
	return cmd
}
