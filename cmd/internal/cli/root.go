package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli/agents"
	"github.com/cp-memory/cp/cmd/internal/cli/browse"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/demo"
	"github.com/cp-memory/cp/cmd/internal/intake"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/sessions"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// Root returns the whole command tree of one run.
func Root(a *app.App, streams console.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "cp",
		Short: "A Git-backed memory for agents and the people beside them",
		Long: `A memory is a Markdown file; a write is one commit; everything else is a
mirror that can be thrown away.

A command line with any other word goes to the system's cp, untouched.`,
		Example: `  cp init
  cp memory add --title Deployment --summary "When you release or roll back" "Nomad, gateway and worker"
  cp memory add-sub pf-7k2m9qx4 --title Rollback --body-file rollback.md \
      --summary "Steps to revert a bad deploy"
  cp memory tree --stats
  cp memory show pf-7k2m9qx4 --depth 1`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	console.AsGroup(root)
	f := face{console.New(a, streams)}
	f.globalFlags(root)
	root.SetIn(f.In)
	root.SetOut(f.Out)
	root.SetErr(f.Err)
	root.SetFlagErrorFunc(console.FlagError)
	root.SetHelpCommand(f.help())
	root.ValidArgsFunction = f.completeFirst
	root.AddCommand(f.memory(), f.shard())
	root.AddCommand(f.house()...)
	if render.IsBareName(a.Name) {
		f.liftCommands(root)
	}
	f.usual(root)
	if a.Name != "" && a.Name != root.Use {
		root.Use = a.Name
		help := root.HelpFunc()
		root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
			renameInHelp(cmd, a.Name)
			help(cmd, args)
		})
	}
	return root
}

// renameInHelp has the help of a command call the program by another name.
func renameInHelp(cmd *cobra.Command, name string) {
	cmd.Long, cmd.Example = render.RenameCommands(name, cmd.Long), render.RenameCommands(name, cmd.Example)
	for _, flags := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.InheritedFlags()} {
		flags.VisitAll(func(f *pflag.Flag) { f.Usage = render.RenameCommands(name, f.Usage) })
	}
}

// usual gives the commands below cmd what most of them have: no arguments unless
// they say which, and completion of the ids that they name.
func (f face) usual(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.Args == nil {
			c.Args = console.Takes(0, 0, "")
		}
		if n := console.RefCount(c); n > 0 && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = f.Complete(n)
		}
		f.usual(c)
	}
}

// globalFlags binds the flags that every command knows, and checks them before
// any command runs.
func (f face) globalFlags(root *cobra.Command) {
	p := root.PersistentFlags()
	p.StringVar(&f.Flags.Vault, "vault", "", "the vault's `folder` (else CP_VAULT, else the nearest above)")
	p.StringVar(&f.Flags.Project, "project", "", "the `project` that the command is about: a name, a path or all (see \"cp help projects\")")
	p.BoolVar(&f.Flags.Exact, "exact-project", false, "that project alone, without those below it")
	p.StringVar(&f.Flags.Agent, "agent", "", "`name` of the writer: creator and author")
	p.StringVar(&f.Flags.Config, "config", "", "settings `file` in place of ~/.cp/config.yaml")
	p.StringVarP(&f.Form.Output, "output", "o", "", "the answer's `form`: text, json, yaml or jsonl")
	p.IntVar(&f.Form.Limit, "limit", 0, "`rows` of a list, 1-1000 (default 20)")
	p.BoolVar(&f.Form.All, "all", false, "all rows of a list")
	p.BoolVar(&f.Form.Debug, "debug", false, "explain decisions on stderr")
	p.BoolVar(&f.Form.NoInput, "no-input", false, "never ask; the answer is no")
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		f.Working(cmd.Name())
		f.Flags.Writer = settings.Writer{Terminal: f.IsAtTerminal(), Force: console.IsForced(cmd)}
		if err := checkNames(cmd, args); err != nil {
			return err
		}
		limited := cmd.Flags().Changed("limit")
		switch l := f.Form.Limit; {
		case limited && (l < 1 || l > console.MaxLimit):
			return vault.Errorf(vault.CodeInvalid, "", "Limit must be 1-1000.")
		case limited && f.Form.All:
			return console.Invalid(cmd, "--all and --limit are mutually exclusive")
		}
		if slices.Contains(strings.Fields(cmd.Annotations[console.MoreFormats]), f.Form.Output) {
			return f.About(cmd, args, asksProjects(cmd))
		}
		if _, err := render.ParseFormat(f.Form.Output); err != nil {
			return err
		}
		return f.About(cmd, args, asksProjects(cmd))
	}
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json", "yaml", "jsonl"}, cobra.ShellCompDirectiveNoFileComp))
}

// changing are the commands that change memories which are there: a person's --force has them change
// protected ones.
var changing = [...]string{"approve", "batch", "browse", "defer", "delete", "demote", "deny", "edit", "eject", "import", "merge-into", "move", "observe", "promote", "resolve", "restore", "review", "summarize", "supersede", "undo", "update"}

// allowForce gives those of the commands that flag.
func allowForce(commands ...*cobra.Command) {
	for _, c := range commands {
		if slices.Contains(changing[:], c.Name()) {
			console.AllowForce(c)
		}
	}
}

// memory is the group of the hierarchical memory.
func (f face) memory() *cobra.Command {
	cmd := console.Group("memory", "Read and write memories")
	cmd.Long = `Memories form a tree: a parent names each child with a phrase that says when
one needs it. Wherever an <id> is asked for, the path of a file, any unique beginning
of an id and the title or alias of one memory do too.`
	add := func(title string, commands ...*cobra.Command) {
		cmd.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
		for _, c := range commands {
			allowForce(append(c.Commands(), c)...)
			c.GroupID = title
			cmd.AddCommand(c)
		}
	}
	add("Read", browse.Command(f.Console, agents.Findings), f.prime(), f.show(), f.tree(), f.list(), f.search(), f.recallMemory(), f.hot(), f.guide(), f.aboutFile(), f.stale(), f.path(), f.work(), f.awareness(), f.graph(), f.entities(), f.entity())
	add("Write", f.add(), f.addSub(), f.edit(), f.update(), f.resolve(), f.deferUntil(), f.supersede(), f.bind(), f.unbind(), f.confirm(), f.fact(), f.batch())
	add("Keep what happened", f.capture(), f.handoff(), sessions.Extend(f.Console, f.observe()), f.findings(), f.review(), f.approve(), f.deny(), f.mergeInto(), f.demote(), f.reanchor())
	add("Connect agents", agents.Setup(f.Console), agents.Hook(f.Console), ServeCommand(f.Console), f.memoryTool())
	add("Shape the tree", f.addParent(), f.move(), f.promote(), f.remove())
	add("Look back, take back", f.log(), f.changes(), f.diff(), f.blame(), f.restore(), f.undo())
	add("The vault as a whole", f.sync(), f.watch(), f.pull(), f.push(), intake.Command(f.Console), f.export(), f.summarize(), f.extract(), f.status(), f.reindex(), f.verify(), f.collect(), f.eject())
	return cmd
}

// liftCommands puts the commands about memories at the top as well, in the place of those that have
// their names there: "cp-memory recall" is "cp memory recall".
func (f face) liftCommands(root *cobra.Command) {
	root.Long, _, _ = strings.Cut(root.Long, "\n\n")
	root.Long += "\n\nThe commands about memories are here and, as under the name cp, below memory."
	memory := f.memory()
	root.AddGroup(memory.Groups()...)
	for _, c := range memory.Commands() {
		for _, same := range root.Commands() {
			if same.Name() == c.Name() {
				root.RemoveCommand(same)
			}
		}
		memory.RemoveCommand(c)
		root.AddCommand(c)
	}
}

// shard is the group that looks at files of any type.
func (f face) shard() *cobra.Command {
	return console.Group("shard", "Look at files of any type and how they are connected", f.shardShow(), f.shardList(), f.shardEdges())
}

// house are the commands about the program and the vault as a whole. The help
// command is set apart, since cobra has one of its own to replace.
func (f face) house() []*cobra.Command {
	return []*cobra.Command{f.init(), ProjectsGroup(f.Console), agents.Setup(f.Console), f.recallAny(), f.status(), f.doctor(), f.version(), f.completion(), f.admin(), f.mergeDriver(), ServeCommand(f.Console), f.web(), demo.Command(f.Console)}
}

// web is the memory browser by its short name.
func (f face) web() *cobra.Command {
	cmd := browse.Command(f.Console, agents.Findings)
	cmd.Use, cmd.Short = "web", "Serve the vault to your browser: memory browse by a short name"
	console.AllowForce(cmd)
	return cmd
}

// admin is the group of commands for occasional work on a whole vault.
func (f face) admin() *cobra.Command {
	return console.Group("admin", "What is done now and then to the vault as a whole", f.embedBackfill(), MeasureCommand(f.Console))
}
