package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// edit opens a memory in an editor.
func (f face) edit() *cobra.Command {
	var allowed bool
	cmd := &cobra.Command{
		Use:   "edit <id>",
		Short: "Open a memory in your editor and commit the result",
		Example: `  cp memory edit pf-7k2m9qx4
  EDITOR="code --wait" cp memory edit pf-7k2m9qx4`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.write(cmd.Context(), func(s *session.Session) error {
				n, err := s.Locate(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if err := openEditor(cmd.Context(), f.App, s.Settings, file(s, n)); err != nil {
					return err
				}
				a, err := tree.Edited{Path: n.Path, ID: n.ID, AllowSecret: allowed}.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.said(a.Warnings, a, func(s render.Screen) { render.Amended(s, "Edited", a) })
			})
		},
	}
	allowSecret(cmd, &allowed)
	return cmd
}
