package console

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
)

// about is what a command is about: as it was typed, with the project that --project names, and
// once a vault is open what was decided.
type about struct {
	asked target.Request
	find  *registry.Finder
	open  target.Target
}

// About notes what a command is about, before it runs. Only of who asks for it the project that
// --project names is found.
func (f Console) About(cmd *cobra.Command, args []string, projects bool) error {
	about := registry.About{Flags: *f.Flags}
	f.about.find = registry.New(f.App, about)
	if projects {
		var err error
		if about, err = f.about.find.ResolveAbout(cmd.Context()); err != nil {
			return err
		}
		f.about.find = f.about.find.For(about)
	}
	f.about.asked = target.Request{About: about, Verb: cmd.Name(), Told: f.TellTended}
	f.about.asked.Refs, f.about.asked.Sought = refsOf(cmd, args)
	return nil
}

// ForVault returns the console for a command about a vault, whatever it was called with.
func (f Console) ForVault(root string) Console {
	asked := target.Request{About: f.about.asked.AboutVault(root), Verb: f.about.asked.Verb, Told: f.TellTended}
	f.about = &about{asked: asked, find: f.about.find.For(asked.About)}
	return f
}

// Request is what the command is about, as it was typed.
func (f Console) Request() target.Request { return f.about.asked }

// ProjectFinder finds the projects of the command.
func (f Console) ProjectFinder() *registry.Finder { return f.about.find }

// Target is what the command is about, once its vault is open.
func (f Console) Target() target.Target { return f.about.open }

// Read opens the vault for fn, after finishing what others left: see [app.Read].
func (f Console) Read(ctx context.Context, fn func(*app.Session) error) error {
	return f.runInVault(ctx, app.Read, fn)
}

// Look opens the vault for fn, which reads memories, those that wait included: see [app.Look].
func (f Console) Look(ctx context.Context, fn func(*app.Session) error) error {
	return f.runInVault(ctx, app.Look, fn)
}

// With opens the vault for fn as it is.
func (f Console) With(ctx context.Context, fn func(*app.Session) error) error {
	return f.runInVault(ctx, app.AsIs, fn)
}

// Write opens the vault for fn, after committing what waits: see [app.Write]. Where only the
// answer is lost it says that the write is done.
func (f Console) Write(ctx context.Context, fn func(*app.Session) error) error {
	err := f.runInVault(ctx, app.Write, fn)
	if lost := (unanswered{}); errors.As(err, &lost) {
		return vault.Errorf(vault.CodeIO, "do not run it again; `cp memory changes --since 1h` shows it",
			"what was written is committed, but the answer is lost: %w", lost.error)
	}
	return err
}

// runInVault runs fn once in the vault that the command is about.
func (f Console) runInVault(ctx context.Context, door app.Door, fn func(*app.Session) error) error {
	asked := f.about.asked
	asked.Door = door
	return f.busy.work(func() error {
		return target.Resolver{App: f.App, Find: f.about.find}.Do(ctx, asked, func(t target.Target) error {
			f.about.open, f.about.find = t, t.Find
			return fn(t.Session)
		})
	})
}
