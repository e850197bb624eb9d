package intake

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/sources"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/transfer"
)

// face is the console with the command of this package.
type face struct{ console.Console }

// Command returns the command import.
func Command(c console.Console) *cobra.Command {
	f := face{c}
	var o transfer.Import
	var noted, observed, drawn bool
	var from string
	cmd := &cobra.Command{
		Use:   "import <folder|file>",
		Short: "Bring a tree of Markdown into the vault, in one commit",
		Long: `Any tree of Markdown: an Obsidian vault, a docs tree, agent files like CLAUDE.md.
Texts stay as they are, byte for byte. Titles and trigger phrases come from the
files' front matter if it has them. A second import changes nothing.

With --from the memories of another program come in: those of Claude Code, Codex, server-memory,
basic-memory, beads, Letta, Obsidian, mem0 and cs-memory, or a CLAUDE.md or AGENTS.md cut at
its headings. The rules of Claude Code, Cursor and Copilot come with the code that they are
about. They keep their dates, ids, labels and links, and know where they come from:
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
  cp memory import --from codex ~/.codex/memories --dry-run
  cp memory import --from agents-md CLAUDE.md --under pf-7k2m9qx4
  cp memory import --from cursor-rules .cursor/rules --dry-run
  cp memory import --git-notes 'refs/notes/cs/decisions'
  cp memory import --sanj ~/.sanj
  cp memory import --graph memory.json`,
		Args: console.Takes(0, 1, "a folder or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, known := chooseForm(from, noted, observed)
			switch {
			case !known:
				return console.Invalid(cmd, "--from takes %s, but got %q", strings.Join(transfer.FormNames(), ", "), vault.Clip(from, 40))
			case drawn && len(args) > 0:
				return f.graphFile(cmd, graph.ImportFacts{DryRun: o.DryRun, AllowSecret: o.AllowSecret}, args[0])
			case form.Kind == transfer.GitNotes && from != "":
				args = append(slices.Clone(csRefs), args...)
			case form.Kind == transfer.GitNotes && len(args) == 0:
				args = csRefs[:1]
			case len(args) == 0 && from != "":
				return console.Invalid(cmd, "%s: give %s", form.About, form.Takes)
			case len(args) == 0:
				return console.Invalid(cmd, "a folder or file is required")
			}
			return f.bring(cmd, form, o, args)
		},
	}
	console.RefsFlag(cmd, "under")
	cmd.Flags().StringVar(&o.Under, "under", "", "hang it below the memory with this `id`")
	cmd.Flags().BoolVar(&noted, "git-notes", false, "import git notes; the argument is a pattern of refs")
	cmd.Flags().BoolVar(&observed, "sanj", false, "import the observations of the program sanj; the argument is its folder or a file of it")
	cmd.Flags().BoolVar(&drawn, "graph", false, "import the graph of another program; the argument is a file of JSON Lines")
	cmd.Flags().StringVar(&from, "from", "", "import the memories of the `program`: "+strings.Join(transfer.FormNames(), ", "))
	cmd.MarkFlagsMutuallyExclusive("from", "git-notes", "sanj", "graph")
	_ = cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(transfer.FormNames(), cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	cmd.Flags().BoolVar(&o.Update, "update", false, "replace the text of files imported before that differ now")
	cmd.Flags().BoolVar(&o.AllowSecret, "allow-secret", false, "commit it also when it looks like a password or token")
	return cmd
}

// csMemory is the program whose memories are notes of git, and csRefs are the refs that it has
// used: the first are those of notes unless others are named.
const csMemory = "cs-memory"

var csRefs = []string{"refs/notes/cs/*", "refs/notes/mem/*"}

// chooseForm returns the form that the flags name.
func chooseForm(from string, noted, observed bool) (transfer.Form, bool) {
	switch {
	case noted:
		from = csMemory
	case observed:
		return transfer.Sanj(), true
	case from == "":
		return transfer.Markdown(), true
	}
	return transfer.FormOf(from)
}

// bring brings in what a form keeps.
func (f face) bring(cmd *cobra.Command, form transfer.Form, o transfer.Import, args []string) error {
	if err := forFiles(cmd, placeless[form.Kind]); err != nil {
		return err
	}
	ctx := cmd.Context()
	return f.ReadIfDry(o.DryRun, f.Write)(ctx, func(s *app.Session) error {
		r, err := f.importSources(ctx, s, form, o, args)
		if err != nil {
			return err
		}
		if err := f.WarnAndAnswer(r.Warnings, render.ImportAnswer(r), func(to render.Screen) { render.WriteImported(to, r) }); err != nil {
			return err
		}
		return unread(r, form)
	})
}

// importSources reads what is to be imported, and imports it.
func (f face) importSources(ctx context.Context, s *app.Session, form transfer.Form, o transfer.Import, args []string) (transfer.Imported, error) {
	files, facts, err := f.sources(ctx, s, form, args)
	if err != nil {
		return transfer.Imported{}, err
	}
	o.Bundle = form.Read(files)
	o.Under, o.Facts = cmp.Or(o.Under, s.Vault.Part), facts
	var end func()
	o.Progress, end = f.App.Progress("importing", len(o.Items))
	defer end()
	return o.Do(ctx, s.Vault)
}

// sources reads the files of a form, and the facts that lie beside them.
func (f face) sources(ctx context.Context, s *app.Session, form transfer.Form, args []string) (files, facts []transfer.File, err error) {
	switch form.Kind {
	case transfer.GitNotes:
		top, err := f.App.GitTop(f.Dir)
		if err != nil {
			return nil, nil, err
		}
		files, err = sources.Notes(ctx, func(ctx context.Context, args ...string) (string, error) { return f.App.Git(ctx, top, args...) }, args)
		return files, nil, err
	case transfer.Files:
		found, err := sources.Read(ctx, s.Root, f.Abs(args[0]))
		return found.Files, found.Facts, err
	}
	files, err = sources.Program(ctx, form, s.Root, f.Abs(args[0]), f.Now())
	if err == nil && len(files) == 0 && form.Kind == transfer.Observations {
		err = vault.Errorf(vault.CodeNotFound, "name the folder, often ~/.sanj, or one of the files", "neither %s nor %s lies in '%s'", form.Inside[0], form.Inside[1], args[0])
	}
	return files, nil, err
}

// unread is the error to end with after an answer that tells of nothing but what could not be
// imported, or of nothing.
func unread(r transfer.Imported, form transfer.Form) error {
	code, hint := vault.CodeInvalid, "it takes "+form.Takes
	switch {
	case form.Kind == transfer.GitNotes:
		return nil
	case form.Kind == transfer.Memories && len(r.Rows) == 0:
		return vault.Errorf(vault.CodeNotFound, hint, "there is nothing of %s in it", form.Name)
	case len(r.Rows) == 0 || r.Skipped < len(r.Rows):
		return nil
	case form.Kind == transfer.Files:
		hint = "import takes Markdown files (.md, .mdc, .mdx, .markdown) or folders of them"
	case form.Kind == transfer.Observations:
		code, hint = vault.CodeDamaged, "mend the file, and import it again"
	}
	return vault.Errorf(code, hint, "nothing could be imported: %s", r.Rows[0].Reason)
}

// graphFile brings in the graph of another program.
func (f face) graphFile(cmd *cobra.Command, o graph.ImportFacts, path string) error {
	if err := forFiles(cmd, "a graph has no place in the tree"); err != nil {
		return err
	}
	return console.AskAndAnswer(f.Console, cmd, f.ReadIfDry(o.DryRun, f.Write), func(ctx context.Context, s *app.Session) (graph.FactsImported, error) {
		return knowledge.Room{App: f.App, Session: s}.ImportGraph(ctx, o, path)
	}, render.WriteImportedGraph)
}

// placeless says why what goes into the journal takes no flags of files.
var placeless = map[transfer.Kind]string{
	transfer.GitNotes: "notes go to the journal", transfer.Observations: "observations have places of their own",
}

// forFiles refuses the flags of an import of files where there is a reason why.
func forFiles(cmd *cobra.Command, why string) error {
	for _, flag := range []string{"under", "update"} {
		if why != "" && cmd.Flags().Changed(flag) {
			return console.Invalid(cmd, "--%s is for files; %s", flag, why)
		}
	}
	return nil
}
