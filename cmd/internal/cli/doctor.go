package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
)

// doctor checks, and with --fix puts right.
func (f face) doctor() *cobra.Command {
	var o fix
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the machine, the repository, the vault and the index",
		Long: `Check the machine, the repository, the vault and the index. Like every
command it first finishes what a killed one left; it changes nothing else. The exit code is 1 when a check ends in an error.

With --fix, show the repairs and make them after a yes. A branch that a power cut
or a prune has broken goes back to its newest whole commit; files on disk stay as
they are, and everything removed is kept. Files and blocks are repaired in one
commit, as "cp memory sync" does. A damaged index is built again. Locks that a
crashed git program left behind are removed.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Fix {
				return f.fix(cmd.Context(), o)
			}
			var found []doctor.Finding
			_ = f.busy.work(func() error {
				found = f.Examine(cmd.Context(), f.tended)
				return nil
			})
			if err := told(f, found, render.Findings); err != nil {
				return err
			}
			if n := doctor.Errors(found); n > 0 {
				return vault.Errorf(vault.CodeDamaged, "cp doctor --fix mends what can be mended", "%s in an error", vault.Plural(n, "check ends", "checks end"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&o.Fix, "fix", false, "show the repairs, ask, and make them")
	cmd.Flags().BoolVar(&o.Yes, "yes", false, "with --fix: do not ask")
	return cmd
}

// fix are the options of doctor --fix.
type fix struct{ Fix, Yes bool }

// fix shows the plan, asks, and puts right what it can.
func (f face) fix(ctx context.Context, o fix) error {
	repository, err := f.repair(ctx, o)
	if err != nil {
		return err
	}
	return f.read(ctx, func(s *app.Session) error {
		plan, err := s.PlanFix(ctx)
		if err != nil {
			return err
		}
		plan.Repository = repository
		if plan.Empty() {
			plan.Applied = repository != nil
			return f.answer(plan, func(s render.Screen) { render.Repaired(s, repository) })
		}
		if err := f.agree(ctx, o, func(s render.Screen) { render.ToFix(s, plan) }, "Mend this?"); err != nil {
			return err
		}
		if err := s.Fix(ctx, &plan); err != nil {
			return err
		}
		return f.said(plan.Sync.Warnings, plan, func(s render.Screen) { render.Fixed(s, plan) })
	})
}

// agree shows a plan and asks whether to carry it out, unless --yes is set.
func (f face) agree(ctx context.Context, o fix, plan func(render.Screen), question string) error {
	if o.Yes {
		return nil
	}
	return f.ask(ctx, func(s render.Screen) {
		plan(s)
		s.Printf("%s [y/N] ", question)
	}, "--yes", "nothing was changed")
}

// repair shows the damage, takes the branch back to its newest whole commit and rebuilds
// git's index: everything else needs a repository that git reads. If that is not enough,
// the error has the commands for a person.
func (f face) repair(ctx context.Context, o fix) (*doctor.Damage, error) {
	s, err := settings.Load(f.Flags, f.Place())
	if err != nil {
		return nil, err
	}
	d, err := f.GitDamage(ctx, s.Root)
	if err != nil || d.Sound() {
		return nil, err
	}
	if len(d.Commands) > 0 {
		return nil, vault.Errorf(vault.CodeDamaged, "run these, then `cp doctor --fix` again:\n"+strings.Join(d.Commands, "\n"),
			"git cannot read its own files: %s; nothing was changed", strings.Join(d.Found, "; "))
	}
	if lost := d.Lost(); lost != "" {
		return nil, noCommit(lost)
	}
	if err := f.agree(ctx, o, func(s render.Screen) { render.Damage(s, d) }, "Do this?"); err != nil {
		return nil, err
	}
	return &d, f.GitRepair(ctx, d)
}

// noCommit is the error of a branch that has to come from elsewhere.
func noCommit(ref string) error {
	return vault.Errorf(vault.CodeDamaged, "get the commits from a clone or a remote with `git fetch`; or begin anew with the files as they are: git update-ref -d "+ref+" && git read-tree --empty && cp memory sync",
		"no whole commit of %s is left in this clone; the files on disk are as they were", ref)
}
