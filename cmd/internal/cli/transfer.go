package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/facts"
	"github.com/cp-memory/cp/vault/notes"
	"github.com/cp-memory/cp/vault/sanj"
	"github.com/cp-memory/cp/vault/transfer"
)

// importTree brings a tree of Markdown into the vault.
func (f face) importTree() *cobra.Command {
	var o transfer.Import
	var noted, observed, graph bool
	cmd := &cobra.Command{
		Use:   "import <folder|file>",
		Short: "Bring a tree of Markdown into the vault, in one commit",
		Long: `Any tree of Markdown: an Obsidian vault, a docs tree, agent files like CLAUDE.md.
Texts stay as they are, byte for byte. Titles and trigger phrases come from the
files' front matter if it has them. A second import changes nothing.

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
  cp memory import --git-notes 'refs/notes/cs/decisions'
  cp memory import --sanj ~/.sanj
  cp memory import --graph memory.json`,
		Args: console.Takes(0, 1, "a folder or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case noted:
				return f.notes(cmd, notes.Import{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args)
			case observed && len(args) > 0:
				return f.sanj(cmd, sanj.Import{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args[0])
			case len(args) == 0:
				return console.Invalid(cmd, "a folder or file is required")
			case graph:
				return f.graphFile(cmd, facts.Import{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args[0])
			}
			return f.Write(cmd.Context(), func(s *app.Session) error {
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
	cmd.MarkFlagsMutuallyExclusive("git-notes", "sanj", "graph")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	cmd.Flags().BoolVar(&o.Update, "update", false, "replace the text of files imported before that differ now")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// notes brings git notes into the journal.
func (f face) notes(cmd *cobra.Command, o notes.Import, args []string) error {
	if err := forFiles(cmd, "notes go to the journal"); err != nil {
		return err
	}
	open := f.Unless(o.DryRun, f.Write)
	return console.Asked(f.Console, cmd, open, func(ctx context.Context, s *app.Session) (notes.Outcome, error) {
		return s.ImportNotes(ctx, o, first(args))
	}, render.ImportedNotes)
}

// sanj brings in what the program sanj has observed.
func (f face) sanj(cmd *cobra.Command, o sanj.Import, path string) error {
	if err := forFiles(cmd, "observations have places of their own"); err != nil {
		return err
	}
	return f.Unless(o.DryRun, f.Write)(cmd.Context(), func(s *app.Session) error {
		out, err := s.ImportSanj(cmd.Context(), o, path)
		if err != nil {
			return err
		}
		if err := console.Told(f.Console, out, render.ImportedObservations); err != nil {
			return err
		}
		return app.Unobserved(out)
	})
}

// graphFile brings in the graph of another program.
func (f face) graphFile(cmd *cobra.Command, o facts.Import, path string) error {
	if err := forFiles(cmd, "a graph has no place in the tree"); err != nil {
		return err
	}
	return console.Asked(f.Console, cmd, f.Unless(o.DryRun, f.Write), func(ctx context.Context, s *app.Session) (facts.Imported, error) {
		return f.knowledge(s).ImportGraph(ctx, o, path)
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
