package intake

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/facts"
	"github.com/cp-memory/cp/vault/notes"
	"github.com/cp-memory/cp/vault/sanj"
	"github.com/cp-memory/cp/vault/transfer"
)

// face is the console with the command of this package.
type face struct{ console.Console }

// Command returns the command import.
func Command(c console.Console) *cobra.Command {
	f := face{c}
	var o transfer.Import
	var noted, observed, graph bool
	var from string
	cmd := &cobra.Command{
		Use:   "import <folder|file>",
		Short: "Bring a tree of Markdown into the vault, in one commit",
		Long: `Any tree of Markdown: an Obsidian vault, a docs tree, agent files like CLAUDE.md.
Texts stay as they are, byte for byte. Titles and trigger phrases come from the
files' front matter if it has them. A second import changes nothing.

With --from the memories of another program come in: those of Claude Code, server-memory,
basic-memory, beads, Letta, Obsidian, mem0 and cs-memory, or a CLAUDE.md or AGENTS.md cut at
its headings. They keep their dates, ids, labels and links, and know where they come from:
a second import brings what is new there and leaves what was edited here (cp help import).

With --git-notes the notes below refs/notes/cs/, or those that a pattern names, come
into the journal: each with its own date, commit, kind and spec.

With --sanj the observations of the program sanj come in, from its observations.json, its
long-term-memory.md or the folder of both: with their sessions, counts, dates and what was
decided about them. Those of long-term memory go below the root Learned.

With --graph the graph of another program comes in, from JSON Lines: memory.json of the MCP
reference server, or nodes and edges. It is kept as facts of no memory, and a second import
of a file of that name replaces it (cp help graph).`,
		Example: `  cp memory import docs --dry-run
  cp memory import docs --under pf-7k2m9qx4
  cp memory import docs --update
  cp memory import --from claude ~/.claude/projects/-home-ada-app/memory --dry-run
  cp memory import --from agents-md CLAUDE.md --under pf-7k2m9qx4
  cp memory import --git-notes 'refs/notes/cs/decisions'
  cp memory import --sanj ~/.sanj
  cp memory import --graph memory.json`,
		Args: console.Takes(0, 1, "a folder or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case from == csMemory:
				return f.notes(cmd, notes.Import{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args, csPatterns)
			case from != "":
				return f.foreign(cmd, from, o, args)
			case noted:
				return f.notes(cmd, notes.Import{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args, nil)
			case observed && len(args) > 0:
				return f.sanj(cmd, sanj.Import{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args[0])
			case len(args) == 0:
				return console.Invalid(cmd, "a folder or file is required")
			case graph:
				return f.graphFile(cmd, facts.Import{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args[0])
			}
			return f.Write(cmd.Context(), func(s *app.Session) error {
				o.Under = cmp.Or(o.Under, s.Vault.Part)
				r, err := s.Import(cmd.Context(), o, f.Abs(args[0]))
				if err != nil {
					return err
				}
				if err := console.Told(f.Console, r, render.Imported); err != nil {
					return err
				}
				return app.Unimported(r)
			})
		},
	}
	cmd.Flags().StringVar(&o.Under, "under", "", "hang it below the memory with this `id`")
	cmd.Flags().BoolVar(&noted, "git-notes", false, "import git notes; the argument is a pattern of refs")
	cmd.Flags().BoolVar(&observed, "sanj", false, "import the observations of the program sanj; the argument is its folder or a file of it")
	cmd.Flags().BoolVar(&graph, "graph", false, "import the graph of another program; the argument is a file of JSON Lines")
	cmd.Flags().StringVar(&from, "from", "", "import the memories of the `program`: "+strings.Join(programs(), ", "))
	cmd.MarkFlagsMutuallyExclusive("from", "git-notes", "sanj", "graph")
	_ = cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(programs(), cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	cmd.Flags().BoolVar(&o.Update, "update", false, "replace the text of files imported before that differ now")
	cmd.Flags().BoolVar(&o.AllowSecret, "allow-secret", false, "commit it also when it looks like a password or token")
	return cmd
}

// notes brings git notes into the journal.
func (f face) notes(cmd *cobra.Command, o notes.Import, args, patterns []string) error {
	if err := forFiles(cmd, "notes go to the journal"); err != nil {
		return err
	}
	open := f.Unless(o.DryRun, f.Write)
	return console.Asked(f.Console, cmd, open, func(ctx context.Context, s *app.Session) (notes.Outcome, error) {
		return Room{f.App, s}.ImportNotes(ctx, o, append(patterns, args...)...)
	}, render.ImportedNotes)
}

// sanj brings in what the program sanj has observed.
func (f face) sanj(cmd *cobra.Command, o sanj.Import, path string) error {
	if err := forFiles(cmd, "observations have places of their own"); err != nil {
		return err
	}
	return f.Unless(o.DryRun, f.Write)(cmd.Context(), func(s *app.Session) error {
		out, err := Room{f.App, s}.ImportSanj(cmd.Context(), o, path)
		if err != nil {
			return err
		}
		if err := console.Told(f.Console, out, render.ImportedObservations); err != nil {
			return err
		}
		return unobserved(out)
	})
}

// graphFile brings in the graph of another program.
func (f face) graphFile(cmd *cobra.Command, o facts.Import, path string) error {
	if err := forFiles(cmd, "a graph has no place in the tree"); err != nil {
		return err
	}
	return console.Asked(f.Console, cmd, f.Unless(o.DryRun, f.Write), func(ctx context.Context, s *app.Session) (facts.Imported, error) {
		return knowledge.Room{App: f.App, Session: s}.ImportGraph(ctx, o, path)
	}, render.ImportedGraph)
}

// forFiles refuses the flags of an import of files for an import of something else.
func forFiles(cmd *cobra.Command, why string) error {
	for _, flag := range []string{"under", "update"} {
		if cmd.Flags().Changed(flag) {
			return console.Invalid(cmd, "--%s is for files; %s", flag, why)
		}
	}
	return nil
}
