package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// move gives a memory another parent.
func (f face) move() *cobra.Command {
	var o tree.Move
	cmd := &cobra.Command{
		Use:   "move <id> <new-parent-id>",
		Short: "Give a memory another parent; all below it goes along",
		Example: `  cp memory move pf-7k2m9qx4 pf-3hd8w2na
  cp memory move pf-7k2m9qx4 --root`,
		Args:              takes(1, 2, "an id and a new parent's id"),
		ValidArgsFunction: f.completeBoth,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.Root && len(args) > 1:
				return invalid(cmd, "a new parent and --root are mutually exclusive")
			case !o.Root && len(args) < 2:
				return invalid(cmd, "a new parent's id or --root is required")
			}
			o.Ref, o.To = args[0], first(args[1:])
			return f.write(cmd.Context(), func(s *session.Session) error {
				m, err := o.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.said(m.Warnings, m, func(s render.Screen) { render.Moved(s, m) })
			})
		},
	}
	cmd.Flags().BoolVar(&o.Root, "root", false, "make it a root")
	cmd.Flags().StringVar(&o.Summary, "summary", "", "a new trigger `phrase` (default: the present one)")
	return cmd
}

// promote moves a memory up one level.
func (f face) promote() *cobra.Command {
	return &cobra.Command{
		Use:               "promote <id>",
		Short:             "Move a memory up one level",
		Example:           `  cp memory promote pf-7k2m9qx4`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.write(cmd.Context(), func(s *session.Session) error {
				m, err := tree.Promote{Ref: args[0]}.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.said(m.Warnings, m, func(s render.Screen) { render.Promoted(s, m) })
			})
		},
	}
}
