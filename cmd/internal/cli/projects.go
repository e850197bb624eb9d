package cli

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault/family"
)

// projectCommands are those of the group.
type projectCommands struct{ console.Console }

// ProjectsGroup returns the group of commands.
func ProjectsGroup(f console.Console) *cobra.Command {
	c := projectCommands{f}
	cmd := console.Group("project", "The projects of this machine and their families", c.list(), c.show(), c.add(), c.scanCommand(), c.prune())
	cmd.Long = `A project is a folder with memories. It belongs to the nearest project above it, and
a question asked in a project is answered from it and all below it. "cp help projects"
tells more.`
	return cmd
}

// here returns the settings of the current vault, and of the person where there is none.
func (c projectCommands) here() (settings.Settings, error) {
	return registry.Here(c.App, *c.Flags)
}

func (c projectCommands) list() *cobra.Command {
	var tree, counts bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the projects of this machine",
		Long: `List the vaults that were seen on this machine, and the current one's parts that are
projects. With --counts each vault is opened: its memories are counted, by themselves
and with those of its family, and the parts of all vaults are listed.`,
		Example: `  cp project list --tree
  cp project list --counts -o json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := c.here()
			if err != nil {
				return err
			}
			l, err := c.ProjectFinder().List(cmd.Context(), s, counts)
			if err != nil {
				return err
			}
			return c.WarnAndAnswer(l.Warnings, l.Rows, func(s render.Screen) { table(s, l.Rows, tree, counts) })
		},
	}
	cmd.Flags().BoolVar(&tree, "tree", false, "as a tree")
	cmd.Flags().BoolVar(&counts, "counts", false, "with their memories counted")
	return cmd
}

// table writes projects, a line each.
func table(s render.Screen, rows []registry.Row, tree, counts bool) {
	if len(rows) == 0 {
		s.Println("No projects found.")
		return
	}
	columns := []render.Column{{Title: "PROJECT", Flex: true}}
	if counts {
		columns = append(columns, render.Column{Title: "MEMORIES", Right: true}, render.Column{Title: "WITH THOSE BELOW", Right: true})
	}
	columns = append(columns, render.Column{Title: "PATH", Flex: true})
	cells := make([][]string, 0, len(rows))
	for _, r := range rows {
		name := r.Name
		if tree {
			name = strings.Repeat("  ", r.Level) + name
		}
		line := []string{name}
		if counts {
			line = append(line, formatNumber(r.Memories), formatNumber(r.Total))
		}
		cells = append(cells, append(line, r.Path+notes(r)))
	}
	s.Rows = max(s.Rows, len(cells))
	s.Table(columns, cells)
}

func formatNumber(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// notes says what is special about a project.
func notes(r registry.Row) string {
	var all []string
	if r.Current {
		all = append(all, "current")
	}
	if r.Part != "" {
		all = append(all, "part: "+r.Part)
	}
	if r.Global {
		all = append(all, "global")
	}
	if r.Apart != "" {
		all = append(all, "apart: "+r.Apart)
	}
	if r.Gone {
		all = append(all, "gone")
	}
	if len(all) == 0 {
		return ""
	}
	return " [" + strings.Join(all, "; ") + "]"
}

func (c projectCommands) show() *cobra.Command {
	return &cobra.Command{
		Use:   "show [name-or-path]",
		Short: "Show a project, its parent and its family, with counts",
		Example: `  cp project show
  cp project show TrueTTS
  cp project show ~/Projects/TTS -o json`,
		Args: console.Takes(0, 1, "a project's name or path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, l, err := c.findProject(cmd.Context(), args)
			if err != nil {
				return err
			}
			return c.WarnAndAnswer(l.Warnings, r, func(s render.Screen) { project(s, r, l.Rows) })
		},
	}
}

// findProject returns the project that args name, the current one without, among all.
func (c projectCommands) findProject(ctx context.Context, args []string) (r registry.Row, l registry.Listed, err error) {
	s, err := c.here()
	if err != nil {
		return r, l, err
	}
	var p family.Project
	if len(args) == 0 {
		p, err = c.ProjectFinder().Current(ctx, s)
	} else {
		p, err = c.ProjectFinder().FindProject(ctx, s, args[0])
	}
	if err != nil {
		return r, l, err
	}
	if l, err = c.ProjectFinder().List(ctx, s, true); err != nil {
		return r, l, err
	}
	for _, r := range l.Rows {
		if r.Path == p.Path && r.Vault == p.Vault && r.Part == p.Part {
			return r, l, nil
		}
	}
	return registry.Row{Name: p.Name, Path: p.Path, Vault: p.Vault, Part: p.Part, Apart: p.Apart, Family: []string{p.Path}}, l, nil
}

func project(s render.Screen, r registry.Row, all []registry.Row) {
	s.Println(r.Name + notes(r))
	s.Printf("  Path:      %s\n", r.Path)
	s.Printf("  Vault:     %s\n", r.Vault)
	s.Printf("  Parent:    %s\n", cmp.Or(r.Parent, "none"))
	if r.Apart != "" && r.Parent != "" {
		s.Printf("  Apart:     %s; `%s` has it join the projects above\n", r.Apart, joins(r))
	}
	if r.Memories != nil {
		s.Printf("  Memories:  %d, with those below %d\n", *r.Memories, *r.Total)
	}
	s.Printf("  Last seen: %s\n", cmp.Or(r.Seen, "never"))
	for _, path := range r.Family[min(1, len(r.Family)):] {
		for _, below := range all {
			if below.Path == path {
				s.Printf("  %s%s  %s  %s\n", strings.Repeat("  ", max(0, below.Level-r.Level-1)), below.Name, formatNumber(below.Memories), path)
				break
			}
		}
	}
	for _, below := range all {
		if below.Apart != "" && below.Parent == r.Path && !slices.Contains(r.Family, below.Path) {
			s.Printf("  %s  %s  apart: %s; `%s` has it join\n", below.Name, below.Path, below.Apart, joins(below))
		}
	}
}

// joins is the command by which a project that stands apart joins the families above it.
func joins(r registry.Row) string {
	return registry.Aside{Name: r.Name, Path: r.Path, Apart: r.Apart}.JoinCommand()
}

func (c projectCommands) add() *cobra.Command {
	return &cobra.Command{
		Use:   "add <path>",
		Short: "Put a vault on the list, and into the families above it",
		Long: `Put the vault at a path, or that the folder there names, on the list. A vault comes on
it by itself with the first command that is run in it. After this one it is in the
families above it even where it would stand apart: in a folder that git ignores, as a
submodule, or with the files of another user.`,
		Example: "  cp project add vendor/lib",
		Args:    console.Takes(1, 1, "a path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := c.here()
			if err != nil {
				return err
			}
			p, err := c.ProjectFinder().Add(cmd.Context(), s, args[0])
			if err != nil {
				return err
			}
			return c.Answer(tellProjects(p), func(s render.Screen) { s.Printf("Added the project %s (%s)\n", p.Name, p.Path) })
		},
	}
}

// namedProject is a project as add, scan and prune tell of it.
type namedProject struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Vault string `json:"vault"`
	Apart string `json:"apart,omitempty"`
}

func tellProjects(p family.Project) namedProject {
	return namedProject{p.Name, p.Path, p.Vault, p.Apart}
}

func (c projectCommands) scanCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "scan [folder]",
		Short: "Find the vaults in a folder and below it, and put them on the list",
		Long: `Find the vaults in a folder and below it, work trees included, and put them on the
list. Folders named node_modules, .venv, .cache and the like are passed over.`,
		Example: "  cp project scan ~/Projects",
		Args:    console.Takes(0, 1, "a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.several(cmd, func(s settings.Settings) ([]family.Project, error) {
				return c.ProjectFinder().RegisterBelow(cmd.Context(), s, append(args, ".")[0])
			}, "Found", "Found no new vault.")
		},
	}
}

func (c projectCommands) prune() *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Drop the vaults that are gone from the list",
		Long: `Drop the vaults that are gone from the list. One on a disk that is not plugged in now is
gone, too, until a command is run in it again.`,
		Example: "  cp project prune --dry-run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			verb := "Dropped"
			if dry {
				verb = "Would drop"
			}
			return c.several(cmd, func(s settings.Settings) ([]family.Project, error) { return c.ProjectFinder().Prune(s, dry) }, verb, "No vault on the list is gone.")
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say which")
	return cmd
}

// several answers with projects that something was done with.
func (c projectCommands) several(cmd *cobra.Command, do func(settings.Settings) ([]family.Project, error), verb, none string) error {
	s, err := c.here()
	if err != nil {
		return err
	}
	all, err := do(s)
	if err != nil {
		return err
	}
	rows := make([]namedProject, 0, len(all))
	for _, p := range all {
		rows = append(rows, tellProjects(p))
	}
	return c.Answer(rows, func(s render.Screen) {
		if len(rows) == 0 {
			s.Println(none)
		}
		for _, r := range rows {
			line := verb + " " + r.Name + " (" + r.Path + ")"
			if r.Apart != "" {
				line += "; it stands apart: " + r.Apart
			}
			s.Println(line)
		}
	})
}
