package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// hot lists the memories that are read more often than their parents.
func (f face) hot() *cobra.Command {
	var minDepth int
	cmd := &cobra.Command{
		Use:   "hot",
		Short: "List memories read more often than their parents",
		Example: `  cp memory hot
  cp memory hot --min-depth 2 --limit 10`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if minDepth < 0 {
				return invalid(cmd, "--min-depth must not be negative")
			}
			return f.read(cmd.Context(), func(s *session.Session) error {
				rows, err := tree.Hot(cmd.Context(), s.Vault, minDepth, f.limit(defaultLimit))
				if err != nil {
					return err
				}
				return f.answer(rows, func(s render.Screen) { render.Hot(s, rows) })
			})
		},
	}
	cmd.Flags().IntVar(&minDepth, "min-depth", 1, "only memories at least this `deep`")
	return cmd
}
