package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// large is the number of memories that show gives in full without a warning.
const large = 50

// show prints one memory.
func (f face) show() *cobra.Command {
	var o tree.Show
	var version bool
	cmd := &cobra.Command{
		Use:   "show <id>",
		Short: "Print a memory, with its children as pointers or in full",
		Long: `With --version it also counts the versions of the record in git's history: how often its
text, title, decisions, rationale, source or metadata became another one. It follows first
parents: what a merge brought in counts once, however often the other side changed it.`,
		Example: `  cp memory show pf-7k2m9qx4
  cp memory show pf-7k2m9qx4 --depth 2 --budget 4000
  cp memory show deployment/rollback.md -o json`,
		Args: console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(console.CheckBounds(cmd, "budget", 0), console.CheckBounds(cmd, "offset", 0)); err != nil {
				return err
			}
			o.Ref, o.Rows = args[0], f.Limit()
			return f.answerShow(cmd, o, version, render.Show)
		},
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	cmd.Flags().BoolVar(&version, "version", false, "count the versions of the record, too")
	return cmd
}

// shardShow prints a file of any type.
func (f face) shardShow() *cobra.Command {
	return console.Refs(&cobra.Command{
		Use:     "show <id>",
		Short:   "Print a file of any type",
		Example: `  cp shard show pf-7k2m9qx4`,
		Args:    console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.answerShow(cmd, tree.Show{Ref: args[0], Any: true, Quiet: true}, false, render.ShowAny)
		},
	}, 1)
}

// answerShow answers for show and shard show.
func (f face) answerShow(cmd *cobra.Command, o tree.Show, version bool, text func(render.Screen, tree.Shown)) error {
	return f.Look(cmd.Context(), func(s *app.Session) error {
		m, err := app.FitShown(o, func(o tree.Show) (tree.Shown, error) {
			m, err := o.Read(cmd.Context(), s.Vault)
			if err != nil {
				return m, err
			}
			m.File = s.FromHere(m.Path)
			if err = f.knowledge(s).Complete(cmd.Context(), &m, version); o.Budget > 0 {
				m.Facts = nil // the text comes first
			}
			return m, err
		}, func(m tree.Shown) int { return f.Measure(m, func(s render.Screen) { text(s, m) }) })
		if o.Budget > 0 && vault.CodeOf(err) == vault.CodeInvalid && m.ID != "" {
			return f.answerBrief(m, o.Budget)
		}
		if err != nil {
			return err
		}
		if m.Uncounted != nil {
			f.Debugf("this read was not counted: %v", m.Uncounted)
		}
		if m.Expanded > large {
			f.Warn(fmt.Sprintf("Expanding %d memories. This may produce large output.", m.Expanded))
		}
		err = console.AnswerWith(f.Console, m, text)
		if m.Truncated {
			f.Errs().Printf("the text was cut to keep to the budget; all of it: cp memory show %s --budget %d\n", m.ID, m.Tokens)
		}
		if n := len(m.LeftOut); n > 0 {
			f.Errs().Printf("%d more left as pointers to keep to the budget; read one with: cp memory show %s\n", n, m.LeftOut[0])
		}
		return err
	})
}

// answerBrief answers with one line about a memory, where no more of it fits into the budget: without
// its phrase before with the beginning of its title alone.
func (f face) answerBrief(m tree.Shown, budget int) error {
	b := render.Brief{ID: m.ID, Title: m.Title, Summary: m.Summary, Tokens: m.Tokens, More: "cp memory show " + string(m.ID)}
	for letters := longTitle; f.Measure(b, b.WriteLine) > budget; letters /= 4 {
		if letters == 0 {
			return app.BudgetTooSmall(budget, f.Measure(b, b.WriteLine))
		}
		b.Summary, b.Title = "", vault.Clip(m.Title, letters)
	}
	return f.Answer(b, b.WriteLine)
}

// longTitle are the letters of a title that is told where there is no room for more.
const longTitle = 80

// shardEdges lists how a file is connected.
func (f face) shardEdges() *cobra.Command {
	return console.Refs(&cobra.Command{
		Use:     "edges <id>",
		Short:   "List the references of a file, and those to it",
		Example: `  cp shard edges pf-7k2m9qx4`,
		Args:    console.Takes(1, 1, "an id"),
		RunE: console.Runs(f.Console, f.Look, func(ctx context.Context, s *app.Session, args []string) ([]render.EdgeRow, error) {
			_, edges, err := tree.Edges(ctx, s.Vault, args[0])
			return render.EdgeRows(edges), err
		}, render.Edges),
	}, 1)
}

// path prints where a memory's file is.
func (f face) path() *cobra.Command {
	return console.Refs(&cobra.Command{
		Use:   "path <id>",
		Short: "Print the path of a memory's file",
		Example: `  cp memory path pf-7k2m9qx4
  less "$(cp memory path pf-7k2m9qx4)"`,
		Args: console.Takes(1, 1, "an id"),
		RunE: console.Runs(f.Console, f.Read, func(ctx context.Context, s *app.Session, args []string) (app.Located, error) {
			return s.File(ctx, args[0])
		}, func(s render.Screen, l app.Located) { s.Exact(l.File) }),
	}, 1)
}

// prime prints what an agent loads at its start.
func (f face) prime() *cobra.Command {
	var o tree.Prime
	cmd := &cobra.Command{
		Use:   "prime",
		Short: "Print what an agent loads at its start: the roots, when one needs each, how to go on",
		Long: `Prints the roots of the tree with their trigger phrases, the memories that are read
most, and the next commands, within a budget of tokens. The first line tells what the
journal holds, if there is one. Without a vault it prints
nothing and exits with 0, so that any start-up hook can call it.`,
		Example: `  cp memory prime
  cp memory prime --budget 400 -o json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := console.CheckBounds(cmd, "budget", 0); err != nil {
				return err
			}
			err := f.Look(cmd.Context(), func(s *app.Session) error {
				return f.answerPrime(cmd.Context(), s, o)
			})
			if vault.CodeOf(err) == vault.CodeNoVault && f.Flags.Vault == "" {
				return nil
			}
			return err
		},
	}
	cmd.Flags().IntVar(&o.Budget, "budget", tree.PrimeBudget, "`tokens` of the answer at the most, as it is printed")
	return cmd
}

// maxTreeDepth bounds --max-depth.
const maxTreeDepth = 10

// tree prints the hierarchy.
func (f face) tree() *cobra.Command {
	var q tree.Outline
	var stats bool
	cmd := &cobra.Command{
		Use:   "tree [root-id | folder]",
		Short: "Print the tree, or a memory or folder with all below it",
		Long: `Prints memories with those below them. A folder that has no memory of its own is a
row with the number of memories that hang in it. A large tree is cut after 20 rows,
the deepest first; --all, --limit, --max-depth and --budget say otherwise.`,
		Example: `  cp memory tree
  cp memory tree pf-7k2m9qx4 --stats
  cp memory tree notes/2026
  cp memory tree --max-depth 2 --budget 1000`,
		Args:              console.Takes(0, 1, "one id or folder at the most"),
		ValidArgsFunction: f.CompletePlace,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(console.CheckBounds(cmd, "max-depth", maxTreeDepth), console.CheckBounds(cmd, "budget", 0)); err != nil {
				return err
			}
			q.Uncounted = f.AsText() && !stats
			if f.AsText() && q.MaxDepth == 0 && q.Budget == 0 {
				q.Rows = f.Limit()
			}
			return f.Look(cmd.Context(), func(s *app.Session) error {
				of := vault.Scope{None: len(args) > 0}
				return f.familyOf(cmd.Context(), s, of, func(fam *ask.Family) error {
					return f.trees(cmd.Context(), fam, firstArgument(args), q, stats)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&stats, "stats", false, "how often each was read; ★ marks those read more than their parent")
	console.Bind(cmd, &q)
	return cmd
}

// firstArgument returns the first argument, or "".
func firstArgument(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
