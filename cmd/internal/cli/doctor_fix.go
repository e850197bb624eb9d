package cli

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
)

// fix are the options of doctor --fix.
type fix struct{ Fix, Yes bool }

// fix shows the plan, asks, and puts right what it can.
func (f face) fix(ctx context.Context, o fix) error {
	repository, err := f.repair(ctx, o)
	if err != nil {
		return err
	}
	return f.read(ctx, func(s *app.Session) error {
		p := f.patient(s)
		plan, err := p.PlanFix(ctx)
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
		if err := p.Apply(ctx, &plan, ground{f, s}); err != nil {
			return err
		}
		return f.said(plan.Sync.Warnings, plan, func(s render.Screen) { render.Fixed(s, plan) })
	})
}

// agree shows a plan and asks whether it is to be done, unless --yes has said so.
func (f face) agree(ctx context.Context, o fix, plan func(render.Screen), question string) error {
	if o.Yes {
		return nil
	}
	return f.ask(ctx, func(s render.Screen) {
		plan(s)
		s.Printf("%s [y/N] ", question)
	}, "--yes", "nothing was changed")
}

// repair takes the branch back to its newest whole commit and rebuilds git's index,
// after showing it: everything else needs a repository that git reads. What
// takes more than that is for a person: the error has the commands.
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
