package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
)

// version prints the version. Programs are told git's, too, which takes a process.
func (f face) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version, the commit of the source with its day, the newest format of a
vault and of its index that this program knows (cp help compatibility), and what it
was made with.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := f.Versions()
			if format, _ := render.ParseFormat(f.Form.Output); format != render.Text {
				v.Git = f.GitVersion(cmd.Context())
			}
			return console.AnswerWith(f.Console, v, render.WriteVersions)
		},
	}
}
