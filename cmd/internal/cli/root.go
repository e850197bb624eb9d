// Package cli is the command line: one file per command. A command turns flags
// into the options of one verb, calls it, and hands the result to render; it
// has no thoughts of its own.
package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
)

// Limits of --limit.
const maxLimit = 1000

// Root returns the whole command tree of one run.
func Root(app *session.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "cp",
		Short: "A Git-backed memory for agents and the people beside them",
		Long: `A memory is a Markdown file; a write is one commit; everything else is a
mirror that can be thrown away.

Whatever is not one of these commands goes to the system's cp, untouched.`,
		Example: `  cp init
  cp memory add "Deployment overview: Nomad, gateway and worker" --label deployment
  cp memory add-sub pf-7k2m9qx4 --title Rollback --body-file rollback.md \
      --summary "Steps to revert a bad deploy"
  cp memory tree --stats
  cp memory show pf-7k2m9qx4 --depth 1`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	asGroup(root)
	globalFlags(root, app)
	root.SetIn(app.Streams.In)
	root.SetOut(app.Streams.Out)
	root.SetErr(app.Streams.Err)
	root.SetFlagErrorFunc(flagError)
	f := face{app}
	root.SetHelpCommand(f.help())
	root.ValidArgsFunction = f.completeFirst
	root.AddCommand(f.memory(), f.shard())
	root.AddCommand(f.house()...)
	return root
}

// globalFlags binds the flags that every command knows, and checks them before
// any command runs.
func globalFlags(root *cobra.Command, app *session.App) {
	p := root.PersistentFlags()
	p.StringVar(&app.Flags.Vault, "vault", "", "the vault's `folder` (else CP_VAULT, else the nearest above)")
	p.StringVar(&app.Flags.Project, "project", "", "the project's `name`")
	p.StringVar(&app.Flags.Agent, "agent", "", "`name` of the writer: creator and author")
	p.StringVar(&app.Flags.Config, "config", "", "settings `file` in place of ~/.cp/config.yaml")
	p.StringVarP(&app.Flags.Output, "output", "o", "", "the answer's `form`: text, json, yaml or jsonl")
	p.IntVar(&app.Flags.Limit, "limit", 0, "`rows` of a list, 1-1000 (default 20)")
	p.BoolVar(&app.Flags.Debug, "debug", false, "tell on stderr why things are as they are")
	p.BoolVar(&app.Flags.NoInput, "no-input", false, "never ask; the answer is no")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if l := app.Flags.Limit; cmd.Flags().Changed("limit") && (l < 1 || l > maxLimit) {
			return vault.Errorf(vault.CodeInvalid, "", "Limit must be 1-1000.")
		}
		_, err := render.ParseFormat(app.Flags.Output)
		return err
	}
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json", "yaml", "jsonl"}, cobra.ShellCompDirectiveNoFileComp))
}
