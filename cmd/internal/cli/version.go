package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/release"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/setup"
)

// version prints the version. Programs are told git's, too, which takes a process.
func (f face) version() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version, the commit of the source with its day, the newest format of a
vault and of its index that this program knows (cp help compatibility), and what it
was made with.

With --check it asks GitHub for the newest release and names the command that
updates this program, as far as its path tells who installed it; it changes
nothing. No other command asks, and none by itself. CP_RELEASES names another
address that answers as GitHub or npm's registry does.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := f.Versions()
			if format, _ := render.ParseFormat(f.Form.Output); format != render.Text {
				v.Git = f.GitVersion(cmd.Context())
			}
			if check {
				if err := f.checkNewest(cmd.Context(), &v); err != nil {
					return err
				}
			}
			return console.AnswerWith(f.Console, v, render.WriteVersions)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "ask for the newest release")
	return cmd
}

// checkNewest asks for the newest version, and says how to get it where it is newer than this one.
func (f face) checkNewest(ctx context.Context, v *app.Versions) (err error) {
	v.Newest, err = release.Source{URL: cmp.Or(f.Env("CP_RELEASES"), release.Usual)}.Ask(ctx)
	if err != nil || !release.IsNewer(v.Newest, v.Version) {
		return err
	}
	program, _ := os.Executable() // nobody knows its place then, and it is told where all can be had
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	v.Update = setup.Install{Program: program}.UpdateCommand(release.Page)
	return nil
}
