package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/past"
)

// eject takes out of the files what the program wrote for itself.
func (f face) eject() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "eject",
		Short: "Take ids and pointer blocks out of the vault's files again, in one commit",
		Long: `For who goes on without this program: it takes out of the Markdown files what it wrote
there for itself. Without --yes it says what that is, and changes nothing.

  goes    ids that it drew (id: with the prefix of the vault, cp_id:); summary_of, about_at,
          source_of and commit_key; front matter in which nothing else stands; pointer
          blocks, hidden ones too; sections that it keeps in the files of agents
  stays   each other byte: titles, phrases, labels, dates, text, keys and comments of your
          own, ids of another form, line ends, and what you have typed and not committed

A file that is in no commit stays as it is, and one that cannot be read; each is named. So
are files of which the text names another memory by an id that goes. Only the order of the
pointers, and what you wrote into them alone, is then in git's history and nowhere else. A
protected memory is changed for a person, and for no agent.

It is one commit, and "cp memory undo" takes it back. From then on sync leaves the files
alone: .cp/vault.yaml says "adopt: ejected". A command that changes a memory still writes
an id into its file. The folder .cp and the settings of agents stay: what is left to do by
hand is said at the end.`,
		Example: `  cp memory eject
  cp memory eject --yes
  cp memory undo`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return console.AskAndAnswer(f.Console, cmd, f.ReadIfDry(!yes, f.Write), func(ctx context.Context, s *app.Session) (past.Ejected, error) {
				return s.History().Eject(ctx, !yes)
			}, render.WriteEjected)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; else it only says what it would do")
	return cmd
}
