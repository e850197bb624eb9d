package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/graph"
)

// fact is the group of what is known about a memory beside its text.
func (f face) fact() *cobra.Command {
	cmd := console.Group("fact", "Say what a memory speaks of: entities, and how they stand to each other",
		f.factAdd(), f.factRemove(), f.factList())
	cmd.Long = `Facts are a committed file beside the memory, and the graph is made of them. What is
written by hand stays when a model draws the facts of the text anew.`
	return cmd
}

// factAdd writes facts by hand.
func (f face) factAdd() *cobra.Command {
	var o graph.AddFacts
	cmd := &cobra.Command{
		Use:   "add <id>",
		Short: "Add an entity or a relation to the facts of a memory",
		Long: `Names are compared without regard to case. An end of a relation that is no entity of the
memory yet becomes one, of type thing. What was removed before comes back.`,
		Example: `  cp memory fact add pf-7k2m9qx4 --entity "PostgreSQL 17" --type technology --description "the primary database"
  cp memory fact add pf-7k2m9qx4 --relation "db2|replicates|db1"`,
		Args: console.Takes(1, 1, "an id"),
		RunE: console.Runs(f.Console, f.Write, func(ctx context.Context, s *app.Session, args []string) (graph.FactsChanged, error) {
			o.Ref = args[0]
			return o.Do(ctx, s.Vault)
		}, render.WriteFactsChanged),
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// factRemove takes facts away.
func (f face) factRemove() *cobra.Command {
	var o graph.RemoveFacts
	cmd := &cobra.Command{
		Use:   "remove <id>",
		Short: "Take an entity or a relation out of the facts of a memory",
		Long: `An entity goes with its relations. What a model has drawn stays in the file, marked as
removed, so that it is not drawn again.`,
		Example: `  cp memory fact remove pf-7k2m9qx4 --entity db2
  cp memory fact remove pf-7k2m9qx4 --relation "db2|replicates|db1"`,
		Args: console.Takes(1, 1, "an id"),
		RunE: console.Runs(f.Console, f.Write, func(ctx context.Context, s *app.Session, args []string) (graph.FactsChanged, error) {
			o.Ref = args[0]
			return o.Do(ctx, s.Vault)
		}, render.WriteFactsChanged),
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	return cmd
}

// factList shows the facts of a memory.
func (f face) factList() *cobra.Command {
	return console.Refs(&cobra.Command{
		Use:     "list <id>",
		Short:   "Show the facts of a memory",
		Example: "  cp memory fact list pf-7k2m9qx4",
		Args:    console.Takes(1, 1, "an id"),
		RunE: console.Runs(f.Console, f.Read, func(ctx context.Context, s *app.Session, args []string) (graph.FactList, error) {
			return graph.ListFacts(ctx, s.Vault, args[0], s.Settings.Facts.Auto)
		}, render.Facts),
	}, 1)
}
