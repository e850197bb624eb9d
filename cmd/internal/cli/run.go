package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// Exit codes. They are promises.
const (
	exitDone   = 0
	exitError  = 1
	exitQueued = 75  // saved to the outbox; sysexits' EX_TEMPFAIL
	exitStop   = 130 // Ctrl+C on a screen, where it is a key and no signal
	exitMerge  = 129 // the merge driver failed; git takes lower codes for conflicts
)

// errQueued ends a command whose write waits in the outbox. The command has said so
// already.
var errQueued = errors.New("queued")

// Run executes the command that args name (without the program's name), tells
// of an error on stderr and returns the exit code.
func Run(ctx context.Context, a *app.App, streams console.Streams, args []string) (exit int) {
	stderr := streams.Err
	var said *conversation
	if errorFormat("", args) == render.JSON && !streams.ErrTTY && !endless(args) {
		said = new(conversation)
		streams.Err, streams.Beside = said, said.keepAside
	}
	root := Root(a, streams)
	root.SetArgs(args)
	cmd, err := execute(ctx, a, root, args)
	err = letThrough(cmd, err)
	if ctx.Err() != nil && err != nil && vault.CodeOf(err) != vault.CodeQueued && !saidAll(err) { // whatever failed, this is why
		a.Debugf("%v", err)
		err = vault.Errorf(vault.CodeInterrupted, "a write that had begun is finished by the next cp command", "%w", context.Cause(ctx))
	}
	if cmd != nil && cmd.Annotations[console.Captures] != "" {
		err = render.OfCapture(err, console.IsUsage(err))
	}
	told := err
	if err != nil && saidAll(err) {
		told = nil
	}
	screen := render.Screen{Writer: stderr, Name: a.Name, Now: a.Now()}
	switch {
	case said != nil:
		said.printSaid(screen, told)
	case told != nil:
		render.Error(screen, errorFormat(root.PersistentFlags().Lookup("output").Value.String(), args), told)
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errQueued), vault.CodeOf(err) == vault.CodeQueued:
		return exitQueued
	case errors.Is(err, app.ErrNoMerge):
		return exitMerge
	case vault.CodeOf(err) == vault.CodeInterrupted && ctx.Err() == nil:
		return exitStop
	}
	return exitError
}

// execute runs the command. A panic in it is an error that names the command; --debug tells
// where it was.
func execute(ctx context.Context, a *app.App, root *cobra.Command, args []string) (cmd *cobra.Command, err error) {
	cmd, _, _ = root.Find(args)
	err = vault.Guard("`"+cmd.CommandPath()+"`", debug.Stack, func() (err error) {
		cmd, err = root.ExecuteContextC(ctx)
		return err
	})
	var fault *vault.Fault
	if errors.As(err, &fault) {
		a.Debugf("%s", fault.Stack)
	}
	return cmd, err
}

// letThrough has the refusal of a secret name another command where this one has no flag
// to let it through.
func letThrough(cmd *cobra.Command, err error) error {
	var e *vault.Error
	if !errors.As(err, &e) || e.Hint != vault.SecretHint || cmd.Flags().Lookup("allow-secret") != nil {
		return err
	}
	refused := *e
	refused.Hint = vault.SecretHintElsewhere
	return &refused
}

// Fail tells, for people on one line, why there is no program to run, and returns the exit
// code.
func Fail(stderr io.Writer, args []string, err error) int {
	if form := errorFormat("", args); form != render.Text {
		render.Error(render.Screen{Writer: stderr}, form, err)
		return exitError
	}
	line := "Error: " + err.Error()
	if hint := render.FaultOf(err).Hint; hint != "" {
		line += "; " + hint
	}
	fmt.Fprintln(stderr, line)
	return exitError
}

// endless reports whether a command line is one of watch, which does not end and so says
// at once what it has to say.
func endless(args []string) bool {
	if !slices.Contains(args, "watch") {
		return false
	}
	cmd, _, err := Root(new(app.App), console.Streams{}).Find(args)
	return err == nil && cmd.Name() == "watch"
}

// saidAll reports whether a command that ends with err has said why already.
func saidAll(err error) bool { return errors.Is(err, errQueued) || errors.Is(err, errConflict) }

// errorFormat is the format for an error, also when the command line could not be
// read as far as its -o.
func errorFormat(name string, args []string) render.Format {
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
