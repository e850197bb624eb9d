package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// large is how many memories show gives in full without a warning.
const large = 50

// show prints one memory.
func (f face) show() *cobra.Command {
	var o tree.Show
	cmd := &cobra.Command{
		Use:   "show <id>",
		Short: "Print a memory, with its children as pointers or in full",
		Example: `  cp memory show pf-7k2m9qx4
  cp memory show pf-7k2m9qx4 --depth 2 --budget 4000
  cp memory show deployment/rollback.md -o json`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			if cmd.Flags().Changed("budget") && o.Budget < 1 {
				return invalid(cmd, "--budget must be at least 1")
			}
			return f.read(cmd.Context(), func(s *app.Session) error {
				shown, err := o.Read(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.shown(shown, render.Show)
			})
		},
	}
	cmd.Flags().IntVar(&o.Depth, "depth", 0, "`levels` of children given in full, 0-5")
	cmd.Flags().IntVar(&o.Budget, "budget", 0, "estimated `tokens` at the most; the rest stays pointers")
	return cmd
}

// shown answers for show and shard show.
func (f face) shown(m tree.Shown, text func(render.Screen, tree.Shown)) error {
	if m.Expanded > large {
		f.warn(fmt.Sprintf("Expanding %d memories. This may produce large output.", m.Expanded))
	}
	err := f.said(m.Warnings, m, func(s render.Screen) { text(s, m) })
	if m.Truncated {
		f.errs().Printf("the text was cut to keep to the budget; all of it: cp memory show %s --budget %d\n", m.ID, m.Tokens)
	}
	if n := len(m.LeftOut); n > 0 {
		f.errs().Printf("%d more left as pointers to keep to the budget; read one with: cp memory show %s\n", n, m.LeftOut[0])
	}
	return err
}

// shardShow prints a file of any type.
func (f face) shardShow() *cobra.Command {
	return &cobra.Command{
		Use:               "show <id>",
		Short:             "Print a file of any type",
		Example:           `  cp shard show pf-7k2m9qx4`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *app.Session) error {
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
			return f.read(cmd.Context(), func(s *app.Session) error {
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

// located is a memory's file as programs get it.
type located struct {
	ID   vault.ID   `json:"id"`
	Path vault.Path `json:"path"` // relative to the vault
	File string     `json:"file"` // absolute
}

// path prints where a memory's file is.
func (f face) path() *cobra.Command {
	return &cobra.Command{
		Use:   "path <id>",
		Short: "Print the path of a memory's file",
		Example: `  cp memory path pf-7k2m9qx4
  less "$(cp memory path pf-7k2m9qx4)"`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *app.Session) error {
				n, err := s.Locate(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				l := located{n.ID, n.Path, file(s, n)}
				return f.answer(l, func(s render.Screen) { s.Exact(l.File) })
			})
		},
	}
}

// file is the absolute path of a memory's file.
func file(s *app.Session, n vault.Node) string {
	return filepath.Join(s.Root, filepath.FromSlash(string(n.Path)))
}

// prime prints what an agent loads at its start.
func (f face) prime() *cobra.Command {
	var o tree.Prime
	cmd := &cobra.Command{
		Use:   "prime",
		Short: "Print what an agent loads at its start: the roots, when one needs each, how to go on",
		Long: `Prints the roots of the tree with their trigger phrases, what is read most, and
the commands to go on with, within a budget of tokens. Where there is no vault it
prints nothing and exits with 0, so that it can stand in any start-up hook.`,
		Example: `  cp memory prime
  cp memory prime --budget 400 -o json`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("budget") && o.Budget < 1 {
				return invalid(cmd, "--budget must be at least 1")
			}
			err := f.read(cmd.Context(), func(s *app.Session) error {
				p, err := o.Read(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.answer(p, func(out render.Screen) { render.Prime(out, s.Settings.Project, p) })
			})
			if vault.CodeOf(err) == vault.CodeNoVault && f.Flags.Vault == "" {
				return nil
			}
			return err
		},
	}
	cmd.Flags().IntVar(&o.Budget, "budget", tree.PrimeBudget, "estimated `tokens` of the answer at the most")
	return cmd
}
