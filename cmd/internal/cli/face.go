package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
)

// face is the console with the commands of this package.
type face struct{ console.Console }

// unaware are the commands, and groups of commands, to which --project says no project that is
// there.
var unaware = map[string]bool{"init": true, "project": true, "help": true, "version": true, "completion": true, "merge-driver": true, "setup": true, "demo": true, "__complete": true, "__completeNoDesc": true}

// asksProjects reports whether a command is about the project that --project names.
func asksProjects(cmd *cobra.Command) bool {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if unaware[c.Name()] {
			return false
		}
	}
	return true
}

// family opens the family of the current project for fn, with the current vault in s.
func (f face) family(ctx context.Context, s *app.Session, fn func(*ask.Family) error) error {
	return f.familyOf(ctx, s, vault.Scope{}, fn)
}

// familyOf is family for a question that looks at no more than scope.
func (f face) familyOf(ctx context.Context, s *app.Session, scope vault.Scope, fn func(*ask.Family) error) error {
	fam, err := ask.Open(ctx, f.targetIn(s), scope)
	if err != nil {
		return err
	}
	defer fam.Close()
	if fam.Several() {
		f.Asks(fam.Of.Path)
	}
	return fn(fam)
}

// throughFamily has the family of the current project answer.
func throughFamily[R any](f face, cmd *cobra.Command, open console.Opener, do func(context.Context, *ask.Family) (R, error), text func(render.Screen, R)) error {
	return open(cmd.Context(), func(s *app.Session) error {
		return f.family(cmd.Context(), s, func(fam *ask.Family) error {
			r, err := do(cmd.Context(), fam)
			if err != nil {
				return err
			}
			f.Warn(fam.Warnings...)
			return console.AnswerWith(f.Console, r, text)
		})
	})
}

// targetIn is what the command is about, in its open vault.
func (f face) targetIn(s *app.Session) target.Target { return f.Target().In(s) }
