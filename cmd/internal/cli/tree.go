package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/tree"
)

// maxTreeDepth bounds --max-depth.
const maxTreeDepth = 10

// tree prints the hierarchy.
func (f face) tree() *cobra.Command {
	var q tree.Outline
	var stats bool
	cmd := &cobra.Command{
		Use:   "tree [root-id]",
		Short: "Print the tree, or one memory with all below it",
		Example: `  cp memory tree
  cp memory tree pf-7k2m9qx4 --stats
  cp memory tree --max-depth 2 --budget 1000`,
		Args:              takes(0, 1, "one id at the most"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("max-depth") && (q.MaxDepth < 1 || q.MaxDepth > maxTreeDepth) {
				return invalid(cmd, "--max-depth must be 1-%d", maxTreeDepth)
			}
			if cmd.Flags().Changed("budget") && q.Budget < 1 {
				return invalid(cmd, "--budget must be at least 1")
			}
			q.Root = first(args)
			format, err := render.ParseFormat(f.Flags.Output)
			q.Uncounted = err == nil && format == render.Text && !stats
			return f.read(cmd.Context(), func(s *app.Session) error {
				view, err := q.Read(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.treed(view, stats)
			})
		},
	}
	cmd.Flags().BoolVar(&stats, "stats", false, "how often each was read; ★ marks those read more than their parent")
	cmd.Flags().IntVar(&q.MaxDepth, "max-depth", 0, "`levels` below the roots, 1-10 (default all)")
	cmd.Flags().IntVar(&q.Budget, "budget", 0, "estimated `tokens` of the answer at the most")
	return cmd
}

func (f face) treed(view tree.Outlined, stats bool) error {
	err := f.answer(view.Roots, func(s render.Screen) { render.Tree(s, view, stats) })
	if view.LeftOut > 0 {
		f.errs().Printf("%d more not shown; raise --max-depth or --budget, or ask for a subtree by id\n", view.LeftOut)
	}
	return err
}

// first returns the first argument, or "".
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
