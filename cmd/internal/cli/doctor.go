package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
)

func (f face) doctor() *cobra.Command {
	var o fix
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the machine, the repository, the vault and the index",
		Long: `Check the machine, the repository, the vault and the index. As every command it
first finishes what a killed one left, and changes nothing else. The exit code is 1 when a check ends in an error.

With --fix, show what would be mended and do it after a yes: a branch that a
power cut or a prune has broken goes back to its newest whole commit, files on
disk stay as they are and what is taken away is kept; files and blocks as "cp
memory sync" does, in one commit; a damaged index is built again; and locks that
a git program left behind when it crashed are removed.`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Fix {
				return f.fix(cmd.Context(), o)
			}
			found := f.examine(cmd.Context())
			if err := f.answer(found, func(s render.Screen) { render.Findings(s, found) }); err != nil {
				return err
			}
			if n := doctor.Errors(found); n > 0 {
				return vault.Errorf(vault.CodeDamaged, "cp doctor --fix mends what can be mended", "%s in an error", counted(n, "check ends", "checks end"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&o.Fix, "fix", false, "show what would be mended, ask, and mend it")
	cmd.Flags().BoolVar(&o.Yes, "yes", false, "with --fix: do not ask")
	return cmd
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// examine makes all checks: those of the machine, and where there is a vault
// those of its repository, its index and its contents.
func (f face) examine(ctx context.Context) []doctor.Finding {
	all := (&doctor.Patient{Machine: computer{f}}).ExamineMachine(ctx)
	s, err := f.Open(ctx)
	if err != nil {
		return append(all, doctor.Failed("vault", err))
	}
	defer f.close(s)
	f.tend(ctx, s)
	return append(all, f.patient(s).Examine(ctx)...)
}
