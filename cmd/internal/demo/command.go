package demo

import (
	"context"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// options are the flags.
type options struct {
	Keep      string `flag:"keep" help:"make it in this <folder>, which has to be new or empty, and leave it"`
	NoBrowser bool   `flag:"no-browser" help:"show where the pages are, and do not wait"`
}

// Shown is what the demo has shown.
type Shown struct {
	Commands []Ran  `json:"commands"`
	Link     string `json:"link"`             // of the pages, while they were served
	Folder   string `json:"folder,omitempty"` // of the vault, where it is kept
}

// Ran is a command that has run.
type Ran struct {
	Command string `json:"command"`
	Output  string `json:"output"`
}

// Command returns the command.
func Command(f console.Console) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the program at work on a sample, in a folder that goes afterwards",
		Long: `Writes a sample handbook of 41 notes into a folder for what is thrown away, makes a vault
of it, and shows the main commands: each is printed before what it says. At the end the
pages of the memory browser are served, on a terminal until Ctrl-C.

It needs git and nothing else: no network, no settings of yours. It changes nothing outside
of its folder, and removes that at the end; with --keep it stays, for you to go on with.`,
		Example: `  cp demo
  cp demo --no-browser
  cp demo --keep /tmp/cp-demo`,
		RunE: func(cmd *cobra.Command, _ []string) error { return showAll(cmd.Context(), f, o) },
	}
	console.Bind(cmd, &o)
	return cmd
}

// showAll makes the folder, shows all in it, and removes it.
func showAll(ctx context.Context, f console.Console, o options) (err error) {
	if _, err := exec.LookPath("git"); err != nil {
		return vault.Errorf(vault.CodeNoGit, "install git, which keeps every version of a memory, and run it again", "git is not on the PATH, and the demo needs it")
	}
	dir, err := makeFolder(f, o.Keep)
	if err != nil {
		return err
	}
	if o.Keep == "" {
		signal.Ignore(sysfile.BrokenPipe) // it would end the program, and the folder would stay
		var stop func()
		ctx, stop = signal.NotifyContext(ctx, sysfile.Hangup)
		defer stop()
		defer func() {
			if gone := disk.Discard(dir); err == nil {
				err = gone
			}
		}()
	}
	st, err := setStage(f, dir)
	if err != nil {
		return err
	}
	if err := st.play(ctx, f.IsAtTerminal() && f.AsText() && !o.NoBrowser); err != nil {
		return err
	}
	if o.Keep != "" {
		st.shown.Folder = filepath.Join(dir, vaultName)
	}
	st.print("\n")
	return f.Answer(st.shown, func(s render.Screen) { writeEnd(s, st.shown) })
}

// makeFolder makes the folder that was named, or one that is thrown away.
func makeFolder(f console.Console, keep string) (string, error) {
	if keep == "" {
		dir, err := disk.TempDir("", "cp-memory-demo-")
		if err != nil {
			err = vault.Errorf(vault.CodeIO, "name a folder with --keep, or one for what is thrown away in TMPDIR", "the demo's folder cannot be made: %w", err)
		}
		return dir, err
	}
	dir := f.Abs(keep)
	if err := disk.MakeFolders(dir, 0o777); err != nil {
		return "", vault.Errorf(vault.CodeIO, "name another folder", "the demo's folder cannot be made: %w", err)
	}
	if there, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(there) > 0 {
		return "", vault.Errorf(vault.CodeInvalid, "name a new one", "the folder %s is not empty", dir)
	}
	return dir, nil
}

// writeEnd says what is left of the demo, and how to go on.
func writeEnd(s render.Screen, shown Shown) {
	if shown.Folder != "" {
		s.Printf("The vault is in %s.\n", shown.Folder)
	} else {
		s.Println("That was all; its folder is gone. With your own notes: cp init, in their folder.")
	}
}
