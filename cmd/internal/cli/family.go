package cli

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/families"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// trees answers with the tree of the current project, or what lies below ref, and then with
// those of the projects below it, each under its name.
func (f face) trees(ctx context.Context, fam *families.Family, ref string, q tree.Outline, stats bool) error {
	print := func(views []families.View) (any, func(render.Screen)) {
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
	views, err := console.Fit(f.Console, q.Budget, q.Budget, func(size int) ([]families.View, error) {
		q := q
		q.Budget = size
		return fam.Trees(ctx, ref, q)
	}, print)
	if err != nil {
		return err
	}
	f.Warn(fam.Warnings...)
	left := 0
	for _, v := range views {
		left += v.LeftOut
	}
	err = f.Answer(print(views))
	if left > 0 && q.Rows == 0 {
		f.Errs().Printf("%d more not shown; raise --max-depth or --budget, or ask for a subtree by id\n", left)
	}
	return err
}

// primed is what prime says: of the current vault, and a line of each project below.
type primed struct {
	app.Primed
	Projects []families.Below `json:"projects,omitempty"`
	More     int              `json:"more_projects,omitempty"` // for which there is no room
}

// primeHead are the tokens of the line above the projects.
const primeHead = 25

// primed answers with what an agent loads at its start. The projects below take a quarter of
// the budget at the most.
func (f face) primed(ctx context.Context, s *app.Session, o tree.Prime) error {
	return f.familyOf(ctx, s, vault.Scope{Shallow: true}, func(fam *families.Family) error {
		below, err := fam.Below(ctx)
		if err != nil {
			return err
		}
		print := func(p primed) (any, func(render.Screen)) {
			return p, func(out render.Screen) {
				render.Prime(out, fam.Of.Name, p.Primed)
				if len(p.Projects) == 0 || p.Brief {
					return
				}
				out.Printf("\nProjects below, of which recall, search and list tell as well:\n")
				for _, b := range p.Projects {
					out.Println(belowLine(b))
				}
				if p.More > 0 {
					out.Printf("(+%d more: cp project list --tree)\n", p.More)
				}
			}
		}
		p, err := console.Fit(f.Console, o.Budget, o.Budget, func(size int) (p primed, err error) {
			cost := p.room(below, size)
			if p.Primed, err = fam.Here.Prime(ctx, tree.Prime{Budget: size - cost}); err == nil {
				p.Tokens += cost
			}
			return p, err
		}, print)
		if err != nil {
			return err
		}
		f.Warn(fam.Warnings...)
		return f.Answer(print(p))
	})
}

// room takes the projects below that have room in a quarter of the budget, and returns what
// they cost.
func (p *primed) room(below []families.Below, budget int) (cost int) {
	if len(below) == 0 {
		return 0
	}
	cost = primeHead
	for i, b := range below {
		line := vault.Tokens(belowLine(b))
		if cost+line > budget/4 {
			p.More = len(below) - i
			break
		}
		cost, p.Projects = cost+line, append(p.Projects, b)
	}
	if len(p.Projects) == 0 {
		return 0
	}
	return cost
}

func belowLine(b families.Below) string {
	return fmt.Sprintf("- %s (%s) %s", render.Line(b.Name), vault.Plural(b.Memories, "memory", "memories"), render.Line(b.Path))
}

// overview is the state of the current vault, and how much the projects below hold.
type overview struct {
	app.Overview
	Projects []families.Below `json:"projects,omitempty"`
}

// glance answers with it.
func (f face) glance(ctx context.Context, s *app.Session) error {
	o := overview{}
	return f.family(ctx, s, func(fam *families.Family) (err error) {
		if o.Overview, err = fam.Here.Overview(ctx); err != nil {
			return err
		}
		if o.Projects, err = fam.Below(ctx); err != nil {
			return err
		}
		return f.Said(append(o.Warnings, fam.Warnings...), o, func(out render.Screen) {
			render.Status(out, o.Overview)
			for i, b := range o.Projects {
				label := ""
				if i == 0 {
					label = "Below:"
				}
				out.Printf("  %-13s%s (%s), %s\n", label, render.Line(b.Name), render.Line(b.Path), vault.Plural(b.Memories, "memory", "memories"))
			}
		})
	})
}
