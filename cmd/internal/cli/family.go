package cli

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// trees answers with the tree of the current project, or what lies below ref, and then with
// those of the projects below it, each under its name.
func (f face) trees(ctx context.Context, fam *ask.Family, ref string, q tree.Outline, stats bool) error {
	print := func(views []ask.View) (any, func(render.Screen)) {
		roots := []*tree.OutlineNode{}
		for _, v := range views {
			roots = append(roots, v.Roots...)
		}
		return roots, func(s render.Screen) {
			for i, v := range views {
				if i > 0 {
					s.Printf("\n%s (%s)\n", render.Line(v.Of.Name), render.Line(v.Of.Path))
				}
				render.Tree(s, v.Outlined, stats)
				if q.Rows > 0 {
					s.More("", v.LeftOut)
				}
			}
		}
	}
	opened := fam.Warnings
	within := func(size int) ([]ask.View, error) {
		q := q
		q.Budget, fam.Warnings = size, slices.Clone(opened) // it is asked once for each size
		return fam.Trees(ctx, ref, q)
	}
	views, leftOut, err := app.FitTrees(q.Budget, within, func(all []ask.View) int { return f.Measure(print(all)) })
	if err != nil {
		return err
	}
	f.Warn(fam.Warnings...)
	left := 0
	for _, v := range views {
		left += v.LeftOut
	}
	for _, v := range leftOut {
		left += len(v.Roots) + v.LeftOut
	}
	err = f.Answer(print(views))
	if left > 0 && q.Rows == 0 {
		f.Errs().Printf("%d more not shown; raise --max-depth or --budget, or ask for a subtree by id\n", left)
	}
	return err
}

// answerPrime answers with what an agent loads at its start. The projects below take a quarter of
// the budget at the most.
func (f face) answerPrime(ctx context.Context, s *app.Session, o tree.Prime) error {
	return f.familyOf(ctx, s, vault.Scope{Shallow: true}, func(fam *ask.Family) error {
		below, err := fam.ProjectsBelow(ctx)
		if err != nil {
			return err
		}
		print := func(p ask.Primed) (any, func(render.Screen)) {
			return p, func(out render.Screen) { render.PrimeFamily(out, fam.Of.Name, p) }
		}
		p, err := app.FitWithin(o.Budget, o.Budget, func(size int) (p ask.Primed, err error) {
			cost := p.FitProjects(below, size)
			if p.Primed, err = fam.Here.Prime(ctx, tree.Prime{Budget: size - cost}); err == nil {
				p.Tokens += cost
			}
			return p, err
		}, func(p ask.Primed) int { return f.Measure(print(p)) })
		if err != nil {
			return err
		}
		f.Warn(fam.Warnings...)
		return f.Answer(print(p))
	})
}

// overview is the state of the current vault, and how much the projects below hold.
type overview struct {
	app.Overview
	Projects []ask.Below      `json:"projects,omitempty"`
	Apart    []registry.Aside `json:"apart,omitempty"` // projects below that do not answer
}

// glance answers with it.
func (f face) glance(ctx context.Context, s *app.Session) error {
	o := overview{}
	return f.family(ctx, s, func(fam *ask.Family) (err error) {
		if o.Overview, err = fam.Here.Overview(ctx); err != nil {
			return err
		}
		if o.Projects, err = fam.ProjectsBelow(ctx); err != nil {
			return err
		}
		o.Apart = f.ProjectFinder().ApartBelow(ctx, fam.Here.Settings, fam.Of)
		return f.WarnAndAnswer(append(o.Warnings, fam.Warnings...), o, func(out render.Screen) {
			render.Status(out, o.Overview)
			for i, b := range o.Projects {
				label := ""
				if i == 0 {
					label = "Below:"
				}
				out.Printf("  %-13s%s (%s), %s\n", label, render.Line(b.Name), render.Line(b.Path), vault.Plural(b.Memories, "memory", "memories"))
			}
			for i, a := range o.Apart {
				label := ""
				if i == 0 {
					label = "Apart:"
				}
				out.Printf("  %-13s%s\n", label, render.Line(a.String()))
			}
		})
	})
}
