package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli/agents"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
)

// doctor checks, and with --fix puts right.
func (f face) doctor() *cobra.Command {
	var fix, yes bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the machine, the repository, the vault and the index",
		Long: `Check the machine, the repository, the vault and the index. Like every
command it first finishes what a killed one left; it changes nothing else. The exit code is 1 when a check ends in an error.

With --fix, show the repairs and make them after a yes. A branch that a power cut
or a prune has broken goes back to its newest whole commit; files on disk stay as
they are, and everything removed is kept. Files and blocks are repaired in one
commit, as "cp memory sync" does. A damaged index is built again. Locks that a
crashed git program left behind are removed.

` + countsHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fix {
				return f.fix(cmd.Context(), yes)
			}
			var found []doctor.Finding
			_ = f.Work(func() error {
				found = append(f.Examine(cmd.Context(), f.Request().Flags, f.TellTended), agents.Findings(f.Console)...)
				if s, err := registry.Here(f.App, f.Request().Flags); err == nil {
					found = append(found, f.ProjectFinder().Findings(cmd.Context(), s)...)
				}
				return nil
			})
			if err := console.AnswerWith(f.Console, found, render.Findings); err != nil {
				return err
			}
			if n := doctor.Errors(found); n > 0 {
				return vault.Errorf(vault.CodeDamaged, "cp doctor --fix mends what can be mended", "%s in an error", vault.Plural(n, "check ends", "checks end"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "show the repairs, ask, and make them")
	cmd.Flags().BoolVar(&yes, "yes", false, "with --fix: do not ask")
	return cmd
}

// fix has everything put right that a program can put right.
func (f face) fix(ctx context.Context, yes bool) error {
	done, err := f.Fix(ctx, f.Request().Flags, f.TellTended, app.Consent{
		Damage: func(d doctor.Damage) error {
			return f.agree(ctx, yes, func(s render.Screen) { render.Damage(s, d) }, "Do this?")
		},
		Fix: func(p doctor.Fix) error {
			return f.agree(ctx, yes, func(s render.Screen) { render.ToFix(s, p) }, "Mend this?")
		},
	})
	if err != nil {
		return err
	}
	if err := f.WarnAndAnswer(done.Sync.Warnings, done, func(s render.Screen) { render.WriteFixed(s, done) }); err != nil {
		return err
	}
	return errUnmended(len(done.Sync.Left)+len(done.Remaining), "mend by hand what is listed, then run `cp doctor --fix` again")
}

// agree shows a plan and asks whether to carry it out, unless yes is set.
func (f face) agree(ctx context.Context, yes bool, plan func(render.Screen), question string) error {
	if yes {
		return nil
	}
	return f.Ask(ctx, func(s render.Screen) {
		plan(s)
		s.Printf("%s [y/N] ", question)
	}, "--yes", "nothing was changed")
}
