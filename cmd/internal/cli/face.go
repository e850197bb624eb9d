package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/families"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// face is the console with the commands of this package.
type face struct {
	console.Console
	find *families.Finder
	refs *[]string // the memories that the command names
}

// newFace returns the face of a run. A vault that a command opens is noted as seen, and the
// command is about a part of it where that is the current project.
func newFace(a *app.App, streams console.Streams) face {
	f := face{console.New(a, streams), &families.Finder{App: a}, new([]string)}
	f.Opened = func(ctx context.Context, s *app.Session) error { return f.find.Enter(ctx, s, *f.refs) }
	return f
}

// alone are the commands, and groups of commands, to which --project says no project that is
// there.
var alone = map[string]bool{"init": true, "project": true, "help": true, "version": true, "completion": true, "merge-driver": true, "setup": true, "__complete": true, "__completeNoDesc": true}

// about has a command be about the project that --project names.
func (f face) about(cmd *cobra.Command) error {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if alone[c.Name()] {
			return nil
		}
	}
	if f.Flags.Project == "" {
		return nil
	}
	s, err := families.Here(f.App)
	if err != nil {
		return err
	}
	if f.Flags.Project == families.All {
		return f.find.Everyone(s)
	}
	return f.find.Choose(cmd.Context(), s, f.Flags.Project)
}

// throughTheFamily has a command about memories that the current vault lacks be about the
// vault of the family that has them. refs are what it names. What it read from stdin by then
// is read again.
func (f face) throughTheFamily(cmd *cobra.Command, refs func(cmd *cobra.Command, args []string) []string) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.Replay.Record()
		all := refs(cmd, args)
		*f.refs = all
		err := run(cmd, args)
		if !families.Missing(err) || len(all) == 0 {
			return err
		}
		if err := f.find.Elsewhere(cmd.Context(), cmd.Name(), all, err); err != nil {
			return err
		}
		f.Replay.Rewind()
		return run(cmd, args)
	}
}

// firstArgs returns the ids among the arguments of a command that takes so many, or with a
// list of them all.
func firstArgs(use string, ids int) func(*cobra.Command, []string) []string {
	return func(_ *cobra.Command, args []string) []string {
		if strings.HasSuffix(use, "...") {
			return args
		}
		return args[:min(ids, len(args))]
	}
}

// under returns the memory that --under names.
func under(cmd *cobra.Command, _ []string) []string {
	if ref := cmd.Flags().Lookup("under"); ref != nil && ref.Value.String() != "" {
		return []string{ref.Value.String()}
	}
	return nil
}

// family opens the family of the current project for fn, with the current vault in s.
func (f face) family(ctx context.Context, s *app.Session, fn func(*families.Family) error) error {
	return f.familyOf(ctx, s, vault.Scope{}, fn)
}

// familyOf is family for a question that looks at no more than scope.
func (f face) familyOf(ctx context.Context, s *app.Session, scope vault.Scope, fn func(*families.Family) error) error {
	fam, err := f.find.AnsweringOf(ctx, s, f.exact(s), scope)
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
func throughFamily[R any](f face, cmd *cobra.Command, open console.Opener, do func(context.Context, *families.Family) (R, error), text func(render.Screen, R)) error {
	return open(cmd.Context(), func(s *app.Session) error {
		return f.family(cmd.Context(), s, func(fam *families.Family) error {
			r, err := do(cmd.Context(), fam)
			if err != nil {
				return err
			}
			f.Warn(fam.Warnings...)
			return console.Told(f.Console, r, text)
		})
	})
}

// exact reports whether the current project answers alone.
func (f face) exact(s *app.Session) bool { return f.find.Exact(s.Settings) }
