package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// capture writes an entry of the journal.
func (f face) capture() *cobra.Command {
	var o app.Capture
	var body console.BodyFlags
	var revision string
	cmd := &cobra.Command{
		Use:     "capture <kind> <title>",
		Aliases: []string{"remember"},
		Short:   "Keep what was decided, tried or found out",
		Long: `The entry goes to the journal: it needs no parent and no trigger phrase, and nothing is
asked. The kinds are ` + strings.Join(journal.Capturable(), " ") + `;
their plurals do too. The title has at most 100 characters. The entry remembers the
newest commit of work in the repository you are in. cp help journal tells what becomes of it.`,
		Example: `  cp memory capture decision "Use PostgreSQL for JSONB" --spec storage \
      --context "We query inside documents." --decision "PostgreSQL 17." \
      --alternative "MySQL: no index inside JSON" --alternative "MongoDB: one more server"
  cp memory capture blocker "The build runs out of memory" --problem "The linker needs 9 GB."
  cp memory remember learning "Nomad keeps the old binary until the allocation stops" --tag nomad`,
		Args: console.Takes(2, 2, "a kind and a title in quotes"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Kind, o.Title = args[0], args[1]
			if cmd.Flags().Changed("commit") {
				o.Revision = &revision
			}
			if o.Body, err = f.captureBody(cmd, &body, &o.Capture); err != nil {
				return err
			}
			return body.KeepPiped(f.Console, f.Write(cmd.Context(), func(s *app.Session) error {
				c, err := s.Capture(cmd.Context(), o)
				body.Done = err == nil
				return f.answerCapture(c, err)
			}))
		},
	}
	console.RefsFlag(cmd, "under")
	console.Bind(cmd, &o)
	body.Bind(cmd)
	cmd.Flags().StringVar(&revision, "commit", "", "the `revision` it tells of (default: the newest commit of work)")
	allowSecret(cmd, &o.AllowSecret)
	return console.Capturing(cmd)
}

// captureBody returns the entry's text. On a terminal a person is asked for the sections of
// a decision or a blocker that has none.
func (f face) captureBody(cmd *cobra.Command, body *console.BodyFlags, o *journal.Capture) (string, error) {
	k, _ := header.ParseKind(o.Kind)
	given, err := body.IsSet(cmd)
	if err != nil || given {
		if err == nil {
			return body.Read(f.Console, cmd)
		}
		return "", err
	}
	if o.Parts.IsEmpty() && f.IsAttended() {
		f.askParts(cmd.Context(), k, &o.Parts)
	}
	return "", nil
}

// askParts asks a person for the sections of a decision or a blocker. An empty line leaves
// a section out.
func (f face) askParts(ctx context.Context, k header.Kind, p *journal.Parts) {
	type question struct {
		name string
		to   *string
	}
	var alternative string
	all := map[header.Kind][]question{
		header.Blocker:  {{"Problem", &p.Problem}},
		header.Decision: {{"Context", &p.Context}, {"Decision", &p.Decision}, {"Rationale", &p.Rationale}, {"Alternative", &alternative}, {"Consequences", &p.Consequences}},
	}[k]
	for _, q := range all {
		f.Errs().Printf("%s (empty leaves it out): ", q.name)
		*q.to = f.AskLine(ctx)
	}
	if alternative != "" {
		p.Alternatives = []string{alternative}
	}
}

// answerCapture answers for capture. A write that waits in the outbox has its own exit code.
func (f face) answerCapture(c app.Captured, err error) error {
	switch {
	case err != nil:
		return err
	case !c.Memory.Queued:
		return console.AnswerWith(f.Console, c, render.WriteCaptured)
	}
	if err := console.AnswerWith(f.Console, c, func(s render.Screen, c app.Captured) { render.WriteQueued(s, c.Busy, c.Memory.Why) }); err != nil {
		return err
	}
	return errQueued
}

// resolve closes a memory.
func (f face) resolve() *cobra.Command {
	var o journal.Resolve
	cmd := &cobra.Command{
		Use:   "resolve <id>",
		Short: "Close a memory, with a note on how it ended",
		Long: `A blocker is resolved; any other memory is closed likewise. A second text goes below the
first. --learning captures what was learned beside it, in the same commit.`,
		Example: `  cp memory resolve pf-7k2m9qx4
  cp memory resolve pf-7k2m9qx4 --resolution "Fixed in v2.3: the worker restarts by itself."
  cp memory resolve pf-7k2m9qx4 --resolution "Linked in two steps." --learning "The linker needs 9 GB at once"`,
		Args: console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			return console.AskAndAnswer(f.Console, cmd, f.Write, console.InVault(o.Do), render.WriteResolved)
		},
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	allowSecret(cmd, &o.AllowSecret)
	return console.Capturing(cmd)
}

// work prints all that is known of a piece of work.
func (f face) work() *cobra.Command {
	var o journal.Context
	cmd := &cobra.Command{
		Use:   "context <spec>",
		Short: "Print all that is known of a piece of work: unresolved blockers first",
		Long: `Prints the entries that were captured with this --spec: unresolved blockers, then all others
by kind, the oldest first, of this project and those below it. No model is asked.
With --commits those that tell of a commit in the range; the spec may then be left out.`,
		Example: `  cp memory context storage
  cp memory context storage --recent 10 --budget 2000 -o json
  cp memory context --commits v1.1..v1.2`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.Commits != "" && len(args) == 0 {
				return nil
			}
			return console.Takes(1, 1, "the name of a piece of work")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Spec = firstArgument(args)
			return f.Look(cmd.Context(), func(s *app.Session) error {
				var w journal.Work
				err := f.family(cmd.Context(), s, func(fam *ask.Family) (err error) {
					opened := fam.Warnings
					w, err = f.workWithin(o, func(o journal.Context) (journal.Work, error) {
						fam.Warnings = slices.Clone(opened) // it is asked once for each size
						return fam.Context(cmd.Context(), o)
					})
					f.Warn(fam.Warnings...)
					return err
				})
				if o.Budget > 0 && vault.CodeOf(err) == vault.CodeInvalid && w.Total > 0 {
					return f.briefWork(w, o.Budget)
				}
				if err != nil {
					return err
				}
				return console.AnswerWith(f.Console, w, render.Work)
			})
		},
	}
	console.Bind(cmd, &o)
	return cmd
}

// workWithin reads a piece of work within the budget: without texts before without entries,
// the oldest of which are left out where their lines alone are too much.
func (f face) workWithin(o journal.Context, read func(journal.Context) (journal.Work, error)) (journal.Work, error) {
	cost := func(w journal.Work) int { return f.Measure(w, func(s render.Screen) { render.Work(s, w) }) }
	budget := o.Budget
	w, err := app.FitWithin(budget, budget, func(size int) (journal.Work, error) {
		o.Budget = size
		return read(o)
	}, cost)
	if budget <= 0 || vault.CodeOf(err) != vault.CodeInvalid {
		return w, err
	}
	o.Budget = 1
	return app.FitWithin(budget, max(w.Total-w.Skipped, 1), func(size int) (journal.Work, error) {
		o.Rows = size
		return read(o)
	}, cost)
}

// briefWork answers with one line about a piece of work, where no entry fits into the budget.
func (f face) briefWork(w journal.Work, budget int) error {
	b := render.BriefWork{Spec: w.Spec, Total: w.Total, Blockers: w.Open, LeftOut: w.Total}
	if least := f.Measure(b, b.WriteLine); least > budget {
		return app.BudgetTooSmall(budget, least)
	}
	return f.Answer(b, b.WriteLine)
}

// awareness prints one line for the start of a session. Whatever is wrong, it is silent and
// ends with 0: no hook must fail for it.
func (f face) awareness() *cobra.Command {
	return &cobra.Command{
		Use:   "awareness",
		Short: "Print one line of what there is to recall, or nothing",
		Long: `For the start of an agent's session. Without a vault, an index or a memory it prints
nothing. It waits for nobody: while another process holds the index, it counts what the
index holds. It always ends with 0.`,
		Example: `  cp memory awareness`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.Hasty = true
			_ = f.With(cmd.Context(), func(s *app.Session) error {
				if !s.HasIndex() {
					return nil
				}
				return f.family(cmd.Context(), s, func(fam *ask.Family) error {
					a, err := fam.Awareness(cmd.Context())
					if err != nil || a.Line == "" {
						return err
					}
					return f.Answer(a, func(out render.Screen) { render.Awareness(out, a) })
				})
			})
			return nil
		},
	}
}
