package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
)

// reanchor has entries tell of what their commits were rewritten to.
func (f face) reanchor() *cobra.Command {
	var o app.Reanchor
	var from string
	cmd := &cobra.Command{
		Use:   "reanchor",
		Short: "Have entries tell of the commits that a rebase made of theirs",
		Long: `An entry whose commit HEAD no longer reaches is found by that commit's successor without
this: cp help journal. Here the successors are written, in one commit, before their old
commits are forgotten. A commit that a branch or a tag still has stays, and one of which
nothing is left, as after a squash, is named.

With --own entries that tell of a memory commit tell of the newest work before it. With
--from-rewrite the commits come from lines with an old and a new one on the standard
input, as git's post-rewrite hook has them.`,
		Example: `  cp memory reanchor --dry-run
  cp memory reanchor --own
  git rev-parse HEAD~1 HEAD | xargs | cp memory reanchor --from-rewrite -`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch from {
			case "":
			case "-":
				o.Rewrites = f.In
			default:
				return console.Invalid(cmd, "--from-rewrite reads the standard input: give -")
			}
			return console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (app.Reanchored, error) {
				return s.Reanchor(ctx, o)
			}, render.WriteReanchored)
		},
	}
	console.Bind(cmd, &o)
	cmd.Flags().StringVar(&from, "from-rewrite", "", "read what commits were rewritten to from `-`, the standard input")
	return cmd
}
