package cli

import (
	"context"
	"github.com/cp-memory/cp/vault"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/graph"
)

// knowledge is the use cases around facts and the graph, in an open vault.
func (f face) knowledge(s *app.Session) knowledge.Room {
	return knowledge.Room{App: f.App, Session: s}
}

// graph walks the knowledge graph.
func (f face) graph() *cobra.Command {
	o := graph.Options{Depth: graph.DefaultDepth}
	var whole bool
	cmd := &cobra.Command{
		Annotations: map[string]string{console.MoreFormats: strings.Join(graph.Formats(), " ")},
		Use:         "graph [id|name]",
		Short:       "Walk from a memory or an entity to what is around it",
		Long: `Entities come from the facts of memories (cp memory fact); memories are joined by their
links, too. Without a name it begins at the entities of which most memories speak. It
shows at most 150 nodes, or --limit, and says of how many. What this project and those below
it speak of is one node, with the memories of all. For other programs the output is one of
dot, mermaid, graphml and svg, too.`,
		Example: `  cp memory graph pf-7k2m9qx4
  cp memory graph "PostgreSQL 17" --depth 3 -o json
  cp memory graph db1 -o mermaid
  cp memory graph -o svg > graph.svg
  cp memory graph --map > map.svg`,
		Args: console.Takes(0, 1, "an id or a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := console.CheckBounds(cmd, "depth", graph.MaxDepth); err != nil {
				return err
			}
			if whole {
				return f.treemap(cmd, args)
			}
			o.From, o.Limit = firstArgument(args), f.Form.Rows()
			return f.Read(cmd.Context(), func(s *app.Session) error {
				return f.family(cmd.Context(), s, func(fam *ask.Family) error {
					g, err := fam.Graph(cmd.Context(), o)
					if err != nil {
						return err
					}
					if f.Warn(fam.Warnings...); graph.IsFormat(f.Form.Output) {
						return f.answerGraph(f.Form.Output, &g)
					}
					return console.AnswerWith(f.Console, g, render.Graph)
				})
			})
		},
	}
	console.Bind(cmd, &o)
	cmd.Flags().BoolVar(&whole, "map", false, "draw all of the vault as SVG: each memory as large as its text and all below it")
	return cmd
}

// mapped bounds the roots of a map.
const mapped = 200

// treemap answers with a map of the vault.
func (f face) treemap(cmd *cobra.Command, args []string) error {
	if len(args) > 0 || cmd.Flags().Changed("depth") || cmd.Flags().Changed("type") {
		return console.Invalid(cmd, "--map draws all of the vault, and takes no name, --depth or --type")
	}
	if out := f.Form.Output; out != "" && out != graph.SVG && out != string(render.Text) {
		return console.Invalid(cmd, "--map is a picture: -o svg")
	}
	return f.Read(cmd.Context(), func(s *app.Session) error {
		all, err := f.knowledge(s).Areas(cmd.Context(), nil)
		if err != nil {
			return err
		}
		return f.AnswerText(graph.DrawTreemap(graph.LargestAreas(all, mapped)))
	})
}

// answerGraph answers with a graph for another program.
func (f face) answerGraph(as string, g *graph.Graph) error {
	text, err := graph.DrawAs(as, g)
	if err != nil {
		return err
	}
	if err := f.AnswerText(text); err != nil {
		return err
	}
	if g.Total > len(g.Nodes) {
		f.Errs().Printf("%d of %s; --limit shows more\n", len(g.Nodes), vault.Plural(g.Total, "node", "nodes"))
	}
	return nil
}

// entities lists entities.
func (f face) entities() *cobra.Command {
	var q graph.Query
	cmd := &cobra.Command{
		Use:   "entities",
		Short: "List what the memories speak of, that of which most do first",
		Example: `  cp memory entities
  cp memory entities --type person --min 2`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if q.Min < 0 || q.Offset < 0 {
				return console.Invalid(cmd, "--min and --offset must not be negative")
			}
			q.Limit = f.Page()
			return throughFamily(f, cmd, f.Read, func(ctx context.Context, fam *ask.Family) ([]graph.Node, error) {
				l, err := fam.ListEntities(ctx, q)
				if next := q.Offset + len(l.Entities); next < l.Total && len(l.Entities) > 0 {
					f.Errs().Printf("%d-%d of %d; the next ones: --offset %d\n", q.Offset+1, next, l.Total, next)
				}
				return l.Entities, err
			}, render.Entities)
		},
	}
	console.Bind(cmd, &q)
	return cmd
}

// entity shows an entity.
func (f face) entity() *cobra.Command {
	return &cobra.Command{
		Use:   "entity <name>",
		Short: "Show an entity: what is said of it, its relations, and the memories, the newest first",
		Example: `  cp memory entity "PostgreSQL 17"
  cp memory entity n-84f1c2a9d0e3b576 -o json`,
		Args: console.Takes(1, 1, "a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return throughFamily(f, cmd, f.Read, func(ctx context.Context, fam *ask.Family) ([]graph.Entity, error) {
				return fam.Entity(ctx, args[0])
			}, render.EntityPages)
		},
	}
}

// collect is the garbage collection.
func (f face) collect() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Take away what nothing stands for any more: facts without a memory, and what hangs on them",
		Long: `Facts go with their memory by themselves; this finds those that stayed behind, as after a
merge. It also drops vectors of texts that are gone, and the records of finished writes
that are kept for an hour. Untracked facts are never taken away, nor what a person has typed
and not committed. It may be run at any time.`,
		Example: `  cp memory gc --dry-run
  cp memory gc`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return console.AskAndAnswer(f.Console, cmd, f.ReadIfDry(dryRun, f.Write), func(ctx context.Context, s *app.Session) (knowledge.Collected, error) {
				return f.knowledge(s).Collect(ctx, dryRun)
			}, func(s render.Screen, c knowledge.Collected) { render.WriteCollected(s, c, dryRun) })
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "report, change nothing")
	return cmd
}
