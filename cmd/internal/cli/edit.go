package cli

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// edit opens a memory in an editor.
func (f face) edit() *cobra.Command {
	var allowed bool
	cmd := &cobra.Command{
		Use:   "edit <id>",
		Short: "Open a memory in your editor and commit the result",
		Example: `  cp memory edit pf-7k2m9qx4
  EDITOR="code --wait" cp memory edit pf-7k2m9qx4`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.write(cmd.Context(), func(s *app.Session) error {
				n, err := s.Locate(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if err := openEditor(cmd.Context(), f.App, s.Settings, file(s, n)); err != nil {
					return err
				}
				a, err := tree.Edited{Path: n.Path, ID: n.ID, AllowSecret: allowed}.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.said(a.Warnings, a, func(s render.Screen) { render.Amended(s, "Edited", a) })
			})
		},
	}
	allowSecret(cmd, &allowed)
	return cmd
}

// openEditor lets the person edit the file at path and returns when the editor
// has ended. An editor that fails is an error; what it saved is in the file
// all the same.
func openEditor(ctx context.Context, app *app.App, s settings.Settings, path string) error {
	err := runEditor(ctx, app, s, path)
	if failed := new(editorFailed); errors.As(err, failed) {
		return vault.Errorf(vault.CodeIO, "what it saved is in "+path+"; cp memory edit opens it again", "%s; nothing was committed", failed)
	}
	return err
}

// editorFailed is an editor that ended with an error.
type editorFailed struct {
	editor string
	exit   error
}

func (e editorFailed) Error() string {
	return "the editor '" + e.editor + "' failed (" + e.exit.Error() + ")"
}

// runEditor starts the person's editor on a file and waits for its end.
//
// The editor is run as git runs it, so that arguments in it ("code --wait") and
// spaces in path work.
func runEditor(ctx context.Context, app *app.App, s settings.Settings, path string) error {
	editor, err := editorCommand(ctx, app, s, filepath.Dir(path))
	if err != nil {
		return err
	}
	app.Debugf("editor: %s", editor)
	// An interrupt from the keyboard reaches the editor too; it is for the editor
	// to decide what it means.
	run := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", editor+` "$@"`, editor, path)
	run.Dir = app.Dir
	run.Stdin, run.Stdout, run.Stderr = app.Streams.In, app.Streams.Out, app.Streams.Err
	if app.Flags.Output != "" && app.Flags.Output != "text" {
		run.Stdout = app.Streams.Err // stdout is for the answer alone
	}
	err = run.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return editorFailed{editor, exit}
	case err != nil:
		return vault.Errorf(vault.CodeIO, "", "cannot start the editor '%s': %w", editor, err)
	}
	return nil
}

// editorCommand returns the person's editor: that of ~/.cp/config.yaml,
// $VISUAL, $EDITOR, then what git would use. The last may be a default like vi,
// which nobody asked for: it needs a terminal.
func editorCommand(ctx context.Context, app *app.App, s settings.Settings, dir string) (string, error) {
	for _, e := range []string{s.Editor, app.Env("VISUAL"), app.Env("EDITOR")} {
		if e != "" {
			return e, nil
		}
	}
	if app.Streams.InTTY && !app.Flags.NoInput {
		if e, err := app.Git(ctx, dir, "var", "GIT_EDITOR"); err == nil && e != "" {
			return e, nil
		}
	}
	return "", vault.Errorf(vault.CodeInvalid, "set EDITOR, or use: cp memory update ID --body-file FILE", "no editor is set")
}
