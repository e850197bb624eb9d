package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// shardShow prints a file of any type.
func (f face) shardShow() *cobra.Command {
	return &cobra.Command{
		Use:               "show <id>",
		Short:             "Print a file of any type",
		Example:           `  cp shard show pf-7k2m9qx4`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *session.Session) error {
				shown, err := tree.Show{Ref: args[0], Any: true, Quiet: true}.Read(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.shown(shown, render.ShowAny)
			})
		},
	}
}

// anyType stands for files of every type.
const anyType = "*"

// shardList lists files of any type.
func (f face) shardList() *cobra.Command {
	var l listFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List files by type, the newest first",
		Example: `  cp shard list
  cp shard list --type task --status open`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.listed(cmd.Context(), &l, "No shards found.", render.Files)
		},
	}
	l.bind(cmd)
	cmd.Flags().StringArrayVar(&l.types, "type", []string{anyType}, "only these `types`, separated by commas or repeated; * is any")
	return cmd
}

// shardEdges lists how a file is connected.
func (f face) shardEdges() *cobra.Command {
	return &cobra.Command{
		Use:               "edges <id>",
		Short:             "List what a file refers to and what refers to it",
		Example:           `  cp shard edges pf-7k2m9qx4`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *session.Session) error {
				_, edges, err := tree.Edges(cmd.Context(), s.Vault, args[0])
				if err != nil {
					return err
				}
				rows := render.EdgeRows(edges)
				return f.answer(rows, func(s render.Screen) { render.Edges(s, rows) })
			})
		},
	}
}
