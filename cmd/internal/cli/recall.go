package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/guide"
	"github.com/cp-memory/cp/vault/recall"
)

// recallFlags are those that both forms of recall share.
type recallFlags struct {
	list     listFlags
	query    recall.Query
	closed   bool
	passages bool
}

func (r *recallFlags) bind(cmd *cobra.Command) {
	r.list.bind(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&r.closed, "include-closed", false, "closed and deferred ones too")
	flags.Float64Var(&r.query.MinSimilarity, "min-similarity", recall.DefaultSimilarity, "how near, from 0.0 to 1.0, vectors have to find what shares no word with the query")
	flags.IntVar(&r.query.Budget, "budget", 0, "`tokens` of the answer at the most: whole texts while they fit, then trigger phrases")
	flags.BoolVar(&r.query.Full, "full", false, "whole texts")
	flags.BoolVar(&r.query.Explain, "explain", false, "tell which leg found what, by which words, with which scores")
	flags.BoolVar(&r.passages, "show-snippet", true, "the best passage of each")
	cmd.MarkFlagsMutuallyExclusive("full", "budget")
}

// recallMemory finds memories by what they are about.
func (f face) recallMemory() *cobra.Command {
	var r recallFlags
	cmd := &cobra.Command{
		Use:   "recall <question>",
		Short: "Find memories by what they are about, the best first",
		Long: `Titles, passages under their headings, labels, trigger phrases and the place in
the tree all count. Closed memories are left out; what was superseded comes
below its successor. "cp help finding" tells more.`,
		Example: `  cp memory recall "why does the allocation restart"
  cp memory recall "roll back a deploy" --budget 2000
  cp memory recall nomad --under pf-7k2m9qx4 --explain -o json`,
		Args: takes(1, 1000, "what you want to know"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.recalled(cmd.Context(), &r, args, "No memories above %.2f similarity.", render.Recalled)
		},
	}
	r.bind(cmd)
	return cmd
}

// recallAny finds files of any type by what they are about.
func (f face) recallAny() *cobra.Command {
	var r recallFlags
	cmd := &cobra.Command{
		Use:   "recall <question>",
		Short: "Find files of any type by what they are about",
		Example: `  cp recall "why does the allocation restart"
  cp recall gateway --type task,bug --include-closed`,
		Args: takes(1, 1000, "what you want to know"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(r.list.types) == 0 {
				r.list.types = []string{"*"}
			}
			least := r.query.MinSimilarity
			return f.recalled(cmd.Context(), &r, args, "No results above %.2f similarity.", func(s render.Screen, rows []recall.Row) {
				render.RecalledAny(s, rows, least)
			})
		},
	}
	r.bind(cmd)
	cmd.Flags().StringArrayVar(&r.list.types, "type", nil, "`words` like memory,task (default all types)")
	return cmd
}

// recalled asks and answers; what stood in the way, and what was left out, is
// told on stderr.
func (f face) recalled(ctx context.Context, r *recallFlags, args []string, none string, text func(render.Screen, []recall.Row)) error {
	if r.closed && len(r.list.status) > 0 {
		return vault.Errorf(vault.CodeInvalid, "use one of them", "--status and --include-closed are mutually exclusive")
	}
	return f.read(ctx, func(s *app.Session) error {
		o, err := r.list.options(ctx, f, s)
		if err != nil {
			return err
		}
		if r.closed {
			o.Status = []string{"*"}
		}
		if f.Flags.Limit == 0 {
			o.Limit = 0 // which is fewer than a list has
		}
		q := r.query
		q.Text, q.Filter = strings.Join(args, " "), o
		a, err := f.Finder(s).Recall(ctx, q)
		if err != nil {
			return err
		}
		for i := range a.Rows {
			if !r.passages {
				a.Rows[i].Passage = ""
			}
		}
		if err := f.said(a.Warnings, a.Rows, func(s render.Screen) {
			if len(a.Rows) == 0 && a.LeftOut == 0 {
				s.Println(fmt.Sprintf(none, q.MinSimilarity))
				return
			}
			text(s, a.Rows)
		}); err != nil {
			return err
		}
		f.unanswered(a, q)
		return nil
	})
}

// unanswered tells why there is no answer, or how to get the rest of one.
func (f face) unanswered(a recall.Answer, q recall.Query) {
	if a.Why != "" {
		f.errs().Printf("%s\n", a.Why)
	}
	if a.LeftOut > 0 && len(a.Rows) > 0 {
		f.errs().Printf("%d more did not fit into %d tokens; the next ones: --offset %d\n", a.LeftOut, q.Budget, q.Filter.Offset+len(a.Rows))
	}
}

// guide walks by trigger phrases.
func (f face) guide() *cobra.Command {
	var o guide.Options
	cmd := &cobra.Command{
		Use:   "guide <question>",
		Short: "Show the way that trigger phrases alone lead from the roots to an answer",
		Long: `Walks from the roots by titles and trigger phrases alone, as an agent does that
follows pointers, and prints the way it took, what it weighed and where it
stopped. No model is asked: the same question takes the same way. Where it goes
wrong, a trigger phrase wants better words.`,
		Example: `  cp memory guide "the service is unchanged after a deploy"
  cp memory guide "who may rotate the keys" --steps 3 -o json`,
		Args: takes(1, 1000, "a question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Question = strings.TrimSpace(strings.Join(args, " "))
			switch {
			case o.Question == "":
				return invalid(cmd, "the question is empty")
			case cmd.Flags().Changed("steps") && (o.Steps < 1 || o.Steps > 100):
				return invalid(cmd, "--steps must be 1-100")
			case cmd.Flags().Changed("budget") && o.Budget < 1:
				return invalid(cmd, "--budget must be at least 1")
			}
			return f.read(cmd.Context(), func(s *app.Session) error {
				w, err := guide.Take(cmd.Context(), s.Vault, o)
				if err != nil {
					return err
				}
				return f.answer(w, func(s render.Screen) { render.Guide(s, w) })
			})
		},
	}
	cmd.Flags().IntVar(&o.Steps, "steps", 5, "`memories` to read at the most")
	cmd.Flags().IntVar(&o.Budget, "budget", 0, "estimated `tokens` to read at the most, phrases and texts")
	return cmd
}
