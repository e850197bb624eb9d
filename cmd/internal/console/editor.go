package console

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// EditFile lets the person edit the file at path and returns when the editor has ended.
// If the editor fails that is an error, but the text that it saved stays in the file.
func (f Console) EditFile(ctx context.Context, s settings.Settings, path string) error {
	err := f.RunEditor(ctx, s, path)
	if failed := new(editorFailed); errors.As(err, failed) {
		return vault.Errorf(vault.CodeIO, "what it saved is in "+path+"; cp memory edit opens it again", "%s; nothing was committed", failed)
	}
	return err
}

// EditAgain asks whether to open the editor once more, as git does. Without a person the
// answer is no.
func (f Console) EditAgain(ctx context.Context, why string) bool {
	if !f.IsAttended() {
		return false
	}
	f.Errs().Printf("%s. Edit again? (y/n) ", why)
	answer := f.Choice(ctx)
	return answer == "y" || answer == "yes"
}

// editorFailed is an editor that ended with an error.
type editorFailed struct {
	editor string
	exit   error
}

func (e editorFailed) Error() string {
	return "the editor '" + e.editor + "' failed (" + e.exit.Error() + ")"
}

// RunEditor starts the person's editor on a file and waits for its end.
//
// The editor is run as git runs it, so that arguments in it ("code --wait") and
// spaces in path work.
func (f Console) RunEditor(ctx context.Context, s settings.Settings, path string) error {
	editor, err := f.editorCommand(ctx, s, filepath.Dir(path))
	if err != nil {
		return err
	}
	f.Debugf("editor: %s", editor)
	f.busy.wipeLine()
	// An interrupt from the keyboard reaches the editor too; it is for the editor
	// to decide what it means.
	run := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", editor+` "$@"`, editor, path)
	run.Dir = f.Dir
	run.Stdin, run.Stdout, run.Stderr = f.In, f.Out, f.Err
	if f.Form.Output != "" && f.Form.Output != "text" {
		run.Stdout = f.Err // stdout is for the answer alone
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

// editorCommand returns the person's editor: that of ~/.cp/config.yaml, $VISUAL, $EDITOR,
// then git's. Git's may be a default like vi, for which nobody asked, so it needs a
// terminal.
func (f Console) editorCommand(ctx context.Context, s settings.Settings, dir string) (string, error) {
	for _, e := range []string{s.Editor, f.Env("VISUAL"), f.Env("EDITOR")} {
		if e != "" {
			return e, nil
		}
	}
	if f.InTTY && !f.Form.NoInput {
		if e, err := f.Git(ctx, dir, "var", "GIT_EDITOR"); err == nil && e != "" {
			return e, nil
		}
	}
	return "", vault.Errorf(vault.CodeInvalid, "set EDITOR, or use: cp memory update ID --body-file FILE", "no editor is set")
}
