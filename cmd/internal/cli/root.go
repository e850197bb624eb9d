package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// Limits of --limit.
const maxLimit = 1000

// Root returns the whole command tree of one run.
func Root(app *app.App) *cobra.Command {
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
func globalFlags(root *cobra.Command, app *app.App) {
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

// Groups of commands in the help of "cp memory".
const (
	groupRead  = "read"
	groupWrite = "write"
	groupTree  = "tree"
	groupVault = "vault"
	groupPast  = "past"
)

// memory is the group of the hierarchical memory.
func (f face) memory() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "Read and write memories",
		Long: `Memories form a tree: a parent names each child with a phrase that says when
one needs it. Wherever an <id> is asked for, any unique beginning of one and the
path of a file do too.`,
	}
	asGroup(cmd)
	cmd.AddGroup(
		&cobra.Group{ID: groupRead, Title: "Read:"},
		&cobra.Group{ID: groupWrite, Title: "Write:"},
		&cobra.Group{ID: groupTree, Title: "Shape the tree:"},
		&cobra.Group{ID: groupPast, Title: "Look back, take back:"},
		&cobra.Group{ID: groupVault, Title: "The vault as a whole:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			cmd.AddCommand(c)
		}
	}
	add(groupRead, f.prime(), f.show(), f.tree(), f.list(), f.search(), f.recallMemory(), f.hot(), f.guide(), f.path())
	add(groupWrite, f.add(), f.addSub(), f.edit(), f.update(), f.resolve(), f.deferUntil(), f.supersede(), f.batch())
	add(groupTree, f.move(), f.promote(), f.remove())
	add(groupPast, f.log(), f.changes(), f.diff(), f.blame(), f.restore(), f.undo())
	add(groupVault, f.sync(), f.watch(), f.pull(), f.push(), f.importTree(), f.export(), f.summarize())
	return cmd
}

// shard is the group that looks at files of any type.
func (f face) shard() *cobra.Command {
	cmd := &cobra.Command{Use: "shard", Short: "Look at files of any type and how they are connected"}
	asGroup(cmd)
	cmd.AddCommand(f.shardShow(), f.shardList(), f.shardEdges())
	return cmd
}

// house are the commands about the program and the vault as a whole. The help
// command is set apart, since cobra has one of its own to replace.
func (f face) house() []*cobra.Command {
	return []*cobra.Command{f.init(), f.recallAny(), f.status(), f.doctor(), f.version(), f.completion(), f.admin(), f.mergeDriver()}
}

// admin is the group of what is done now and then to a vault as a whole.
func (f face) admin() *cobra.Command {
	cmd := &cobra.Command{Use: "admin", Short: "What is done now and then to the vault as a whole"}
	asGroup(cmd)
	cmd.AddCommand(f.embedBackfill())
	return cmd
}
