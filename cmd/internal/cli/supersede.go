package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// supersede says that a memory has taken another one's place.
func (f face) supersede() *cobra.Command {
	return &cobra.Command{
		Use:   "supersede <old-id> <new-id>",
		Short: "Say that a memory has taken another one's place",
		Long: `The old memory stays where it is and readable. It is found below the new one,
and marked. Both files say so, in one commit.`,
		Example:           `  cp memory supersede pf-7k2m9qx4 pf-3hd8w2na`,
		Args:              takes(2, 2, "the old memory's id and the new one's"),
		ValidArgsFunction: f.completeBoth,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.write(cmd.Context(), func(s *session.Session) error {
				o, err := tree.Supersede{Old: args[0], New: args[1]}.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.said(o.Warnings, o, func(s render.Screen) { render.Superseded(s, o) })
			})
		},
	}
}
