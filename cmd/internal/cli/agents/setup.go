package agents

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/setup"
	"github.com/cp-memory/cp/vault"
)

// options are the flags of setup.
type options struct {
	User    bool     `flag:"user" help:"for you, in every folder (the default)"`
	Project bool     `flag:"project" help:"for everybody who has this project, in files to commit"`
	Check   bool     `flag:"check" help:"tell how it is; the exit code is 1 unless all is current"`
	Remove  bool     `flag:"remove" help:"take it out again"`
	Print   bool     `flag:"print" help:"print what to put in by hand"`
	List    bool     `flag:"list" help:"list the agents that it knows"`
	DryRun  bool     `flag:"dry-run" help:"show the changes, write nothing"`
	Yes     bool     `flag:"yes" help:"do not ask"`
	Only    []string `flag:"only" commas:"yes" help:"only these <parts>: mcp, hook, rules, skill, allow, own"`
	Allow   string   `flag:"allow" help:"the <tools> that agents may call without asking: all (the default), read, none"`
	Plugin  string   `flag:"plugin" help:"write a plugin for agents that install one, into this <folder>"`
}

// Setup connects agents with the memory.
func Setup(f console.Console) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "setup [agent...]",
		Short: "Connect agents: the MCP server, the hooks, their instructions, the skill, the permission",
		Long: `Enters the memory in the settings of agents, shows what it would change, and writes it
after a yes. Without a name it finds the agents that are on this machine. It has five
parts, of which each agent gets those that it knows:

  mcp     the server cp-memory with its tools
  hook    what there is to know, loaded at the start of a session and after compaction,
          and what is known of a file where the agent reads or changes it
  rules   a section in the file that the agent loads every time
  skill   when to read and when to write, loaded when it fits
  allow   the agent may call the tools without asking: all, or with --allow read those
          that change nothing; an agent that has no such list asks, and it says so

A sixth part is set up only where you name it: --only own switches the memory off that
an agent keeps by itself. The end of setup says what that one holds of this project.

Everything else in these files stays byte for byte, and --remove gives them back as they
were. By default an agent is set up for you, in every folder; --project writes files of
this project instead, which can be committed. "cp help agents" has the table.`,
		Example: `  cp memory setup
  cp memory setup claude-code codex --yes
  cp memory setup --project gemini-cli --only mcp,rules
  cp memory setup claude-code --allow read
  cp memory setup --check
  cp memory setup claude-code --remove
  cp memory setup --plugin ./cp-memory-plugin
  cp-memory setup shell`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, a := range setup.Agents() {
				names = append(names, a.Name+"\t"+a.Title)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runAgents(f, cmd, o, args) },
	}
	console.Bind(cmd, &o)
	cmd.AddCommand(shellCommand(f))
	return cmd
}

// runAgents does what the flags say.
func runAgents(f console.Console, cmd *cobra.Command, o options, args []string) error {
	r, err := o.request(cmd, args)
	if err != nil {
		return err
	}
	if o.Plugin != "" {
		files, err := setup.WritePlugin(f.Abs(o.Plugin), f.Version)
		if err != nil {
			return err
		}
		return f.Answer(plugin{f.Abs(o.Plugin), files}, func(s render.Screen) { showPlugin(s, f.Abs(o.Plugin), files) })
	}
	at, err := setupPlace(f)
	if err != nil {
		return err
	}
	if at.Access, err = o.access(cmd); err != nil {
		return err
	}
	if o.List {
		return f.Answer(listAgents(at), func(s render.Screen) { showList(s, listAgents(at)) })
	}
	if len(r.Agents) == 0 {
		if r.Agents, err = findAgents(f, at, r); err != nil {
			return err
		}
	}
	plan, err := at.Plan(r)
	if err != nil {
		return err
	}
	switch {
	case o.Print:
		return f.Answer(snippets(at, r), func(s render.Screen) { showSnippets(s, snippets(at, r)) })
	case o.Check:
		return answerCheck(f, plan)
	case o.DryRun:
		return f.Answer(plan, func(s render.Screen) { showPlan(s, plan) })
	}
	return carryOut(f, cmd.Context(), at, plan, r, o)
}

// request reads the flags and names.
func (o options) request(cmd *cobra.Command, args []string) (r setup.Request, err error) {
	modes := 0
	for _, on := range []bool{o.Check, o.Remove, o.Print, o.List, o.Plugin != ""} {
		if on {
			modes++
		}
	}
	switch {
	case o.User && o.Project:
		return r, console.Invalid(cmd, "--user and --project are mutually exclusive")
	case modes > 1:
		return r, console.Invalid(cmd, "use one of --check, --remove, --print, --list and --plugin")
	}
	r = setup.Request{Scope: setup.User, Remove: o.Remove}
	if o.Project {
		r.Scope = setup.Project
	}
	for _, name := range o.Only {
		part := setup.Part(strings.TrimSpace(name))
		if !slices.Contains(setup.Parts(), part) {
			return r, console.Invalid(cmd, "the parts are mcp, hook, rules, skill, allow and own")
		}
		r.Parts = append(r.Parts, part)
	}
	for _, name := range args {
		a, err := setup.FindAgent(name)
		if err != nil {
			return r, err
		}
		if !slices.ContainsFunc(r.Agents, func(b setup.Agent) bool { return a.Name == b.Name }) {
			r.Agents = append(r.Agents, a)
		}
	}
	return r, nil
}

// access is the access that the flag asks for.
func (o options) access(cmd *cobra.Command) (setup.Access, error) {
	switch o.Allow {
	case "read":
		return setup.Reading, nil
	case "", string(setup.AllTools), string(setup.Reading), string(setup.NoTools):
		return setup.Access(o.Allow), nil
	}
	return "", console.Invalid(cmd, "--allow takes all, read or none")
}

// findAgents returns the agents where none was named: those that are there.
func findAgents(f console.Console, at setup.Place, r setup.Request) (all []setup.Agent, err error) {
	var names []string
	for _, a := range setup.Agents() {
		if at.HasAgent(a) && len(a.SiteFor(r.Scope).Has()) > 0 {
			all, names = append(all, a), append(names, a.Name)
		}
	}
	if len(all) == 0 {
		return nil, vault.Errorf(vault.CodeNotFound, "name one: cp memory setup --list shows those that it knows", "no agent was found on this machine")
	}
	f.Errs().Printf("Found: %s\n", strings.Join(names, ", "))
	return all, nil
}

// carryOut asks, writes, and answers.
func carryOut(f console.Console, ctx context.Context, at setup.Place, plan setup.Plan, r setup.Request, o options) (err error) {
	if !plan.IsEmpty() && !o.Yes {
		if plan, err = confirm(f, ctx, at, plan, r); err != nil {
			return err
		}
	}
	if err := at.ApplyPlan(&plan); err != nil {
		return err
	}
	if err := f.Answer(plan, func(s render.Screen) { showDone(s, plan, o.Remove) }); err != nil {
		return err
	}
	if stuck := plan.Stuck(); len(stuck) > 0 && !o.Remove {
		return vault.Errorf(vault.CodeConflict, cmp.Or(stuck[0].Hint, "put in by hand what is shown"), "%s could not be set up", vault.Plural(len(stuck), "part", "parts"))
	}
	return nil
}

// confirm shows a plan and asks once. Where it is for several agents, a person may answer with the
// names of some, and gets the plan for these.
func confirm(f console.Console, ctx context.Context, at setup.Place, plan setup.Plan, r setup.Request) (setup.Plan, error) {
	which := "y/n"
	if len(r.Agents) > 1 {
		which = "y/n, or the names of those that you want"
	}
	names, err := f.AskWhich(ctx, func(s render.Screen) { showPlan(s, plan); s.Printf("Write this? (%s) ", which) }, "--yes", "nothing was written")
	if err != nil || len(names) == 0 {
		return plan, err
	}
	r.Agents = nil
	for _, name := range names {
		a, err := setup.FindAgent(name)
		if err != nil {
			return plan, err
		}
		r.Agents = append(r.Agents, a)
	}
	return at.Plan(r)
}

// answerCheck answers how things are. What is not current is an error.
func answerCheck(f console.Console, plan setup.Plan) error {
	if err := f.Answer(plan, func(s render.Screen) { showRows(s, plan) }); err != nil {
		return err
	}
	if n := len(plan.Behind()); n > 0 {
		return vault.Errorf(vault.CodeConflict, "cp memory setup", "%s", vault.Plural(n, "part is not current", "parts are not current"))
	}
	return nil
}
