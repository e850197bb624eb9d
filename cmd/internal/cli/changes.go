package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/past"
)

// changes lists what to read again.
func (f face) changes() *cobra.Command {
	var o past.Changes
	cmd := &cobra.Command{
		Use:   "changes --since <time|rev>",
		Short: "List the memories that are not what they were: what to read again",
		Long: `Compares the vault on disk with a commit, or with the last one before a point in
time. Those that say something else come first; then what is new, deleted,
moved, and what changed only in its header or in its pointers.`,
		Example: `  cp memory changes --since 24h
  cp memory changes --since HEAD~5 -o json`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Since == "" {
				return invalid(cmd, "--since is required: a time such as 24h, 7d or 2026-01-31, or a commit")
			}
			return f.read(cmd.Context(), func(s *session.Session) error {
				c, err := s.History().Changes(cmd.Context(), o)
				if err != nil {
					return err
				}
				return f.answer(c, func(s render.Screen) { render.Changes(s, c) })
			})
		},
	}
	cmd.Flags().StringVar(&o.Since, "since", "", "a `time` (30m, 24h, 7d, yesterday, 2 days ago, 2026-01-31) or a commit")
	return cmd
}
