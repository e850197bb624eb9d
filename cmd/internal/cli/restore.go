package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/past"
)

// restore brings an earlier version back.
func (f face) restore() *cobra.Command {
	var o past.Restore
	cmd := &cobra.Command{
		Use:   "restore <id> [rev]",
		Short: "Bring back a deleted memory, or what a memory said earlier",
		Long: `A deleted memory comes back to its place with the pointer to it; --recursive
brings back what was deleted below it in the same commit. A memory that is there
gets the text of the revision; where it stands and which children it has stay as
they are. A revision is whatever git takes for a commit, or a time: 7d, 24h,
2026-01-31.`,
		Example: `  cp memory restore pf-7k2m9qx4
  cp memory restore pf-7k2m9qx4 --recursive
  cp memory restore pf-7k2m9qx4 HEAD~2`,
		Args:              takes(1, 2, "an id and at most one revision"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			if len(args) > 1 {
				o.Rev = args[1]
			}
			return f.write(cmd.Context(), func(s *session.Session) error {
				r, err := s.History().Restore(cmd.Context(), o)
				if err != nil {
					return err
				}
				return f.said(r.Warnings, r, func(s render.Screen) { render.Restored(s, r) })
			})
		},
	}
	cmd.Flags().BoolVar(&o.Recursive, "recursive", false, "what was deleted below it too")
	return cmd
}
