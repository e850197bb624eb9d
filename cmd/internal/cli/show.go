package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// large is how many memories show gives in full without a warning.
const large = 50

// show prints one memory.
func (f face) show() *cobra.Command {
	var o tree.Show
	cmd := &cobra.Command{
		Use:   "show <id>",
		Short: "Print a memory, with its children as pointers or in full",
		Example: `  cp memory show pf-7k2m9qx4
  cp memory show pf-7k2m9qx4 --depth 2 --budget 4000
  cp memory show deployment/rollback.md -o json`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			if cmd.Flags().Changed("budget") && o.Budget < 1 {
				return invalid(cmd, "--budget must be at least 1")
			}
			return f.read(cmd.Context(), func(s *session.Session) error {
				shown, err := o.Read(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.shown(shown, render.Show)
			})
		},
	}
	cmd.Flags().IntVar(&o.Depth, "depth", 0, "`levels` of children given in full, 0-5")
	cmd.Flags().IntVar(&o.Budget, "budget", 0, "estimated `tokens` at the most; the rest stays pointers")
	return cmd
}

// shown answers for show and shard show.
func (f face) shown(m tree.Shown, text func(render.Screen, tree.Shown)) error {
	if m.Expanded > large {
		f.warn(fmt.Sprintf("Expanding %d memories. This may produce large output.", m.Expanded))
	}
	err := f.said(m.Warnings, m, func(s render.Screen) { text(s, m) })
	if m.Truncated {
		f.errs().Printf("the text was cut to keep to the budget; all of it: cp memory show %s --budget %d\n", m.ID, m.Tokens)
	}
	if n := len(m.LeftOut); n > 0 {
		f.errs().Printf("%d more left as pointers to keep to the budget; read one with: cp memory show %s\n", n, m.LeftOut[0])
	}
	return err
}
