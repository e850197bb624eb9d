package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// filterFlags binds the filters that lists and searches share.
func (f face) filterFlags(cmd *cobra.Command, o *app.Filter) {
	console.Bind(cmd, o)
	_ = cmd.RegisterFlagCompletionFunc("under", f.Places)
}

// commitsFlag binds the filters by the commits that entries tell of, and by code.
func commitsFlag(cmd *cobra.Command, o *app.Filter) {
	cmd.Flags().StringVar(&o.Commits, "commits", "", "only entries that tell of a commit in this `range`: v1.1..v1.2, main..HEAD or v1.2..")
	cmd.Flags().StringVar(&o.About, "about", "", "only what is about this `file` of the code, or lines of it: a.py, a.py:10-24")
}

// typeFlag binds the filter of the commands that look at every type unless told otherwise.
func typeFlag(cmd *cobra.Command, o *app.Filter) {
	o.Types = []string{"*"}
	cmd.Flags().Var(&types{Words: (*console.Words)(&o.Types)}, "type", "only these `types`, separated by commas or repeated; * is any (default [*])")
}

// types are words in whose place "*" stands until one is given.
type types struct {
	*console.Words
	given bool
}

// Set adds the values.
func (t *types) Set(values string) error {
	if !t.given {
		*t.Words = nil
	}
	err := t.Words.Set(values)
	if t.given = len(*t.Words) > 0; !t.given {
		*t.Words = console.Words{"*"}
	}
	return err
}

// finds is how a command finds a page of memories by its arguments.
type finds func(ctx context.Context, fam *ask.Family, args []string, o app.Filter) (app.Page, error)

// findPassing finds what passes the filter.
func (f face) findPassing(ctx context.Context, fam *ask.Family, _ []string, o app.Filter) (app.Page, error) {
	o.Facts = !f.AsText()
	return fam.List(ctx, o)
}

// pages has a command answer with a page, or with none where nothing is found.
func (f face) pages(cmd *cobra.Command, o *app.Filter, find finds, none string, text func(render.Screen, []tree.ListRow)) *cobra.Command {
	f.filterFlags(cmd, o)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.Limit = f.Limit()
		return f.Look(cmd.Context(), func(s *app.Session) error {
			return f.family(cmd.Context(), s, func(fam *ask.Family) error {
				p, err := find(cmd.Context(), fam, args, *o)
				if err != nil {
					return err
				}
				f.Warn(fam.Warnings...)
				return f.answerPage(p, none, text)
			})
		})
	}
	return cmd
}

// list prints memories as a flat list.
func (f face) list() *cobra.Command {
	return f.pages(&cobra.Command{
		Use:   "list",
		Short: "List memories, the newest first",
		Long: `List memories, the newest first: those in no commit yet, and then the others in the
order of the commits that brought them. Their clocks do not count, and a memory
that is changed or moved keeps its place. Those of one commit come by path.`,
		Example: `  cp memory list
  cp memory list --roots --label deployment,nomad
  cp memory list --since 7d --status closed --limit 50 -o jsonl
  cp memory list --type decision --commits v1.1..v1.2`,
	}, new(app.Filter), f.findPassing, "No memories found.", render.List)
}

// search finds memories by their words.
func (f face) search() *cobra.Command {
	cmd := f.searchMemories()
	memories := cmd.RunE
	var nodes, bare bool
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !nodes {
			return memories(cmd, args)
		}
		return throughFamily(f, cmd, f.Read, func(ctx context.Context, fam *ask.Family) ([]graph.Hit, error) {
			return fam.SearchNodes(ctx, strings.Join(args, " "), f.Limit(), !bare)
		}, render.NodeHits)
	}
	cmd.Flags().BoolVar(&nodes, "nodes", false, "find entities, with the memories that speak of them")
	cmd.Flags().BoolVar(&bare, "no-memory-ids", false, "with --nodes: do not tell the memories")
	return cmd
}

func (f face) searchMemories() *cobra.Command {
	return f.pages(&cobra.Command{
		Use:   "search <words>",
		Short: "Find memories by their words, the best first",
		Example: `  cp memory search "allocation stuck"
  cp memory search nomad restart --under pf-7k2m9qx4 --limit 5
  cp memory search --nodes "primary database"`,
		Args: console.Takes(1, 1000, "what to search for"),
	}, new(app.Filter), func(ctx context.Context, fam *ask.Family, args []string, o app.Filter) (app.Page, error) {
		o.Limit = f.Form.Rows() // unless it is given, the settings say it
		return fam.SearchMemories(ctx, strings.Join(args, " "), o)
	}, "No matching memories found.", render.Hits)
}

// shardList lists files of any type.
func (f face) shardList() *cobra.Command {
	var o app.Filter
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List files by type, the newest first",
		Example: `  cp shard list
  cp shard list --type task --status open`,
	}
	typeFlag(cmd, &o)
	return f.pages(cmd, &o, f.findPassing, "No shards found.", render.Files)
}

// answerPage answers with a page and says on stderr what other pages hold.
func (f face) answerPage(p app.Page, none string, text func(render.Screen, []tree.ListRow)) error {
	err := f.Answer(p.Rows, func(s render.Screen) {
		if len(p.Rows) == 0 {
			s.Println(none)
			return
		}
		text(s, p.Rows)
	})
	if next := p.Offset + len(p.Rows); next < p.Total && len(p.Rows) > 0 {
		f.Errs().Printf("%d-%d of %d; the next ones: --offset %d\n", p.Offset+1, next, p.Total, next)
	} else if len(p.Rows) == 0 && p.Total > 0 {
		f.Errs().Printf("there are only %d; --offset %d is beyond them\n", p.Total, p.Offset)
	}
	if err == nil && p.Hint != "" {
		f.Errs().Println(p.Hint)
	}
	return err
}

// hot lists the memories that are read more often than their parents.
func (f face) hot() *cobra.Command {
	var minDepth int
	cmd := &cobra.Command{
		Use:   "hot",
		Short: "List memories read more often than their parents",
		Example: `  cp memory hot
  cp memory hot --min-depth 2 --limit 10`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if minDepth < 0 {
				return console.Invalid(cmd, "--min-depth must not be negative")
			}
			return f.Look(cmd.Context(), func(s *app.Session) error {
				return f.family(cmd.Context(), s, func(fam *ask.Family) error {
					rows, err := fam.Hot(cmd.Context(), minDepth, f.Limit())
					if err != nil {
						return err
					}
					return f.WarnAndAnswer(fam.Warnings, rows, func(s render.Screen) { render.Hot(s, rows) })
				})
			})
		},
	}
	cmd.Flags().IntVar(&minDepth, "min-depth", 1, "only memories at least this `deep`")
	return cmd
}

// recallFlags are those that both forms of recall share.
type recallFlags struct {
	filter   app.Filter
	query    recall.Query
	closed   bool
	passages bool
	style    string
}

func (r *recallFlags) bind(f face, cmd *cobra.Command) {
	f.filterFlags(cmd, &r.filter)
	flags := cmd.Flags()
	flags.BoolVar(&r.closed, "include-closed", false, "closed and deferred ones too")
	flags.Float64Var(&r.query.MinSimilarity, "min-similarity", recall.DefaultSimilarity, "least `nearness` of what is given, 0.0 to 1.0; unless set, it is asked only of memories that share no word with the query")
	flags.IntVar(&r.query.Budget, "budget", 0, "`tokens` of the answer at the most, as it is printed: a line of each, then passages, then whole texts")
	flags.BoolVar(&r.query.Full, "full", false, "whole texts")
	flags.BoolVar(&r.filter.Files, "files", false, "whole texts, and the files that the commits of entries changed, as they were there")
	flags.StringVar(&r.style, "style", "", "distance: one `line` of each, as \"[0.12] decisions:pf-7k2m9qx4 - …\"")
	flags.BoolVar(&r.query.Explain, "explain", false, "tell which leg found what, by which words, with which scores")
	flags.BoolVar(&r.passages, "show-snippet", true, "the best passage of each")
	cmd.MarkFlagsMutuallyExclusive("full", "budget")
	cmd.MarkFlagsMutuallyExclusive("files", "budget")
}

// recalls has a command answer with the files that are about its arguments. none says that
// nothing is as similar as asked.
func (f face) recalls(cmd *cobra.Command, r *recallFlags, none string, text func(render.Screen, []recall.Row)) *cobra.Command {
	cmd.Use, cmd.Args = "recall <question>", console.Takes(1, 1000, "what you want to know")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.answerRecall(cmd, r, args, none, text) }
	r.bind(f, cmd)
	return cmd
}

// recallMemory finds memories by what they are about.
func (f face) recallMemory() *cobra.Command {
	return f.recalls(&cobra.Command{
		Short: "Find memories by subject, the best first",
		Long: `Titles, passages under their headings, labels, trigger phrases and the place in
the tree all count. Closed memories are left out, and counted where they answer;
with --include-closed each stands behind open ones that answer as well, and says how
it ended. A superseded memory comes below its successor. "cp help finding" tells more.`,
		Example: `  cp memory recall "why does the allocation restart"
  cp memory recall "roll back a deploy" --budget 2000
  cp memory recall nomad --under pf-7k2m9qx4 --explain -o json`,
	}, new(recallFlags), "No memories above %.2f similarity.", render.WriteRecalled)
}

// recallAny finds files of any type by what they are about.
func (f face) recallAny() *cobra.Command {
	var r recallFlags
	cmd := &cobra.Command{
		Short: "Find files of any type by subject",
		Example: `  cp recall "why does the allocation restart"
  cp recall gateway --type task,bug --include-closed`,
	}
	typeFlag(cmd, &r.filter)
	return f.recalls(cmd, &r, "No results above %.2f similarity.", func(s render.Screen, rows []recall.Row) {
		render.WriteRecalledAny(s, rows, r.query)
	})
}

// answerRecall asks and answers. On stderr it says what stood in the way and what was left
// out.
func (f face) answerRecall(cmd *cobra.Command, r *recallFlags, args []string, none string, text func(render.Screen, []recall.Row)) error {
	if r.closed && cmd.Flags().Changed("status") {
		return vault.Errorf(vault.CodeInvalid, "use one of them", "--status and --include-closed are mutually exclusive")
	}
	r.query.Ended = recall.Counted
	if r.closed {
		r.query.Ended = recall.WithAside
	}
	switch r.style {
	case "":
	case "distance":
		text = render.Distances
	default:
		return console.Invalid(cmd, "the style is distance, or none")
	}
	r.query.Full = r.query.Full || r.filter.Files
	r.query.Strict = cmd.Flags().Changed("min-similarity")
	r.query.Text, r.filter.Limit = strings.Join(args, " "), f.Form.Rows()
	r.query.Measure = func(rows []recall.Row) int {
		return f.Measure(r.outputRows(rows), func(s render.Screen) { text(s, rows) })
	}
	return f.Look(cmd.Context(), func(s *app.Session) error {
		var a recall.Answer
		err := f.family(cmd.Context(), s, func(fam *ask.Family) (err error) {
			a, err = fam.Recall(cmd.Context(), r.query, r.filter)
			a.Warnings = append(a.Warnings, fam.Warnings...)
			return err
		})
		if err != nil {
			return err
		}
		for i := range a.Rows {
			if !r.passages {
				a.Rows[i].Passage = ""
			}
		}
		write := func(s render.Screen) {
			if len(a.Rows) == 0 && a.LeftOut == 0 {
				s.Println(fmt.Sprintf(none, r.query.MinSimilarity))
				return
			}
			text(s, a.Rows)
		}
		if least := f.Measure(r.outputRows(a.Rows), write); r.query.Budget > 0 && least > r.query.Budget {
			return app.BudgetTooSmall(r.query.Budget, max(least, a.Least)) // not even that there is nothing
		}
		if err := f.WarnAndAnswer(a.Warnings, r.outputRows(a.Rows), write); err != nil {
			return err
		}
		if a.Why != "" {
			f.Errs().Println(a.Why)
		}
		f.tellAside(a)
		if a.Below > 0 && len(a.Rows) > 0 {
			f.Errs().Printf("below %.2f similarity: %d more\n", r.query.MinSimilarity, a.Below)
		}
		if a.LeftOut > 0 && len(a.Rows) > 0 {
			f.Errs().Printf("%d more did not fit into %d tokens; the next ones: --offset %d\n", a.LeftOut, r.query.Budget, r.filter.Offset+a.Next)
		}
		return nil
	})
}

// outputRows returns what a program gets: within a budget less of each row.
func (r *recallFlags) outputRows(rows []recall.Row) any {
	if r.query.Budget == 0 {
		return rows
	}
	return render.Dense(recall.Lines(rows))
}

// guide walks by trigger phrases.
func (f face) guide() *cobra.Command {
	o := recall.WalkOptions{Steps: 5}
	var under string
	var assisted bool
	cmd := &cobra.Command{
		Use:   "guide <question>",
		Short: "Show the way that trigger phrases alone lead from the roots to an answer",
		Long: `Walks from the roots by titles and trigger phrases alone, as an agent does that
follows pointers. It prints the way, the weights and the reason why it stopped. No
model is asked: the same question takes the same way. If the way is wrong, a
trigger phrase needs better words. Where hardly a root has a pointer block, folders
are the levels: it prints those whose memories weigh most, a line of each memory.
With --recall they are what recall finds, and the folders that lead there.`,
		Example: `  cp memory guide "the service is unchanged after a deploy"
  cp memory guide "who may rotate the keys" --steps 3 -o json
  cp memory guide "how do I roll back" --recall --budget 1500`,
		Args: console.Takes(1, 1000, "a question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Question = strings.TrimSpace(strings.Join(args, " "))
			if o.Question == "" {
				return console.Invalid(cmd, "the question is empty")
			}
			if err := cmp.Or(console.CheckBounds(cmd, "steps", 100), console.CheckBounds(cmd, "budget", 0)); err != nil {
				return err
			}
			if o.Measure = func(w recall.Walk) int { return f.Measure(w, func(s render.Screen) { render.Guide(s, w) }) }; o.Budget > 0 && !cmd.Flags().Changed("steps") {
				o.Steps = 0
			}
			return console.AskAndAnswer(f.Console, cmd, f.Look, func(ctx context.Context, s *app.Session) (recall.Walk, error) {
				return s.Guide(ctx, o, under, assisted)
			}, render.Guide)
		},
	}
	cmd.Flags().StringVar(&under, "under", "", "only below the memory with this `id`, or in this folder")
	cmd.Flags().BoolVar(&assisted, "recall", false, "begin with what recall finds, and show the folders that lead there")
	console.Bind(cmd, &o)
	return cmd
}
