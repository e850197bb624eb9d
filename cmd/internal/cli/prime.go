package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// prime prints what an agent loads at its start.
func (f face) prime() *cobra.Command {
	var o tree.Prime
	cmd := &cobra.Command{
		Use:   "prime",
		Short: "Print what an agent loads at its start: the roots, when one needs each, how to go on",
		Long: `Prints the roots of the tree with their trigger phrases, what is read most, and
the commands to go on with, within a budget of tokens. Where there is no vault it
prints nothing and exits with 0, so that it can stand in any start-up hook.`,
		Example: `  cp memory prime
  cp memory prime --budget 400 -o json`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("budget") && o.Budget < 1 {
				return invalid(cmd, "--budget must be at least 1")
			}
			err := f.read(cmd.Context(), func(s *session.Session) error {
				p, err := o.Read(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.answer(p, func(out render.Screen) { render.Prime(out, s.Settings.Project, p) })
			})
			if vault.CodeOf(err) == vault.CodeNoVault && f.Flags.Vault == "" {
				return nil
			}
			return err
		},
	}
	cmd.Flags().IntVar(&o.Budget, "budget", tree.PrimeBudget, "estimated `tokens` of the answer at the most")
	return cmd
}
