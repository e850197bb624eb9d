package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/past"
)

// diff compares a memory with an earlier version.
func (f face) diff() *cobra.Command {
	return &cobra.Command{
		Use:   "diff <id> [rev]",
		Short: "Compare a memory on disk with an earlier version, HEAD unless told otherwise",
		Long: `Compares the file on disk with the version in a commit, wherever the memory lay
there. A revision is whatever git takes for a commit, or a time: 7d, 24h,
2026-01-31.`,
		Example: `  cp memory diff pf-7k2m9qx4
  cp memory diff pf-7k2m9qx4 7d
  cp memory diff pf-7k2m9qx4 HEAD~3`,
		Args:              takes(1, 2, "an id and at most one revision"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o := past.Diff{Ref: args[0]}
			if len(args) > 1 {
				o.Rev = args[1]
			}
			return f.read(cmd.Context(), func(s *session.Session) error {
				d, err := s.History().Diff(cmd.Context(), o)
				if err != nil {
					return err
				}
				return f.answer(d, func(s render.Screen) { render.Diff(s, d) })
			})
		},
	}
}

// blame tells who wrote each line.
func (f face) blame() *cobra.Command {
	return &cobra.Command{
		Use:   "blame <id>",
		Short: "Tell of each line of a memory who wrote it, when and by which command",
		Example: `  cp memory blame pf-7k2m9qx4
  cp memory blame pf-7k2m9qx4 -o jsonl`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *session.Session) error {
				_, rows, err := s.History().Blame(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return f.answer(render.BlameRows(rows), func(s render.Screen) { render.Blame(s, rows) })
			})
		},
	}
}
