package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// Exit codes. They are promises.
const (
	exitDone   = 0
	exitError  = 1
	exitQueued = 75  // saved to the outbox; sysexits' EX_TEMPFAIL
	exitMerge  = 129 // the merge driver failed; git takes lower codes for conflicts
)

// errQueued ends a command whose write waits in the outbox and has said so.
var errQueued = errors.New("queued")

// Run executes the command that args name (without the program's name), tells
// of an error on stderr and returns the exit code.
func Run(ctx context.Context, app *app.App, args []string) (exit int) {
	root := Root(app)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if errors.Is(err, errQueued) {
		return exitQueued
	}
	if errors.Is(err, errConflict) {
		return exitError
	}
	if ctx.Err() != nil && vault.CodeOf(err) != vault.CodeQueued { // whatever failed, this is why
		app.Debugf("%v", err)
		err = vault.Errorf(vault.CodeInterrupted, "a write that had begun is finished by the next cp command", "%w", context.Cause(ctx))
	}
	render.Error(face{app}.errs(), wanted(app, args), err)
	if vault.CodeOf(err) == vault.CodeQueued {
		return exitQueued
	}
	if errors.Is(err, errNoMerge) {
		return exitMerge
	}
	return exitError
}

// wanted is the format for an error, also when the command line could not be
// read as far as its -o.
func wanted(app *app.App, args []string) render.Format {
	name := app.Flags.Output
	for i, arg := range args {
		switch {
		case name != "" || arg == "--":
		case (arg == "-o" || arg == "--output") && i+1 < len(args):
			name = args[i+1]
		case strings.HasPrefix(arg, "--output="), strings.HasPrefix(arg, "-o="):
			_, name, _ = strings.Cut(arg, "=")
		case strings.HasPrefix(arg, "-o"):
			name = strings.TrimPrefix(arg, "-o")
		}
	}
	f, err := render.ParseFormat(name)
	if err != nil {
		return render.Text
	}
	return f
}
