package cli

import (
	"cmp"
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault/past"
)

// showPast answers what looks back.
func showPast[O, R any](f face, cmd *cobra.Command, open console.Opener, do func(*past.History, context.Context, O) (R, error), o O, text func(render.Screen, R)) error {
	return console.AskAndAnswer(f.Console, cmd, open, func(ctx context.Context, s *app.Session) (R, error) { return do(s.History(), ctx, o) }, text)
}

// log lists what was done.
func (f face) log() *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use:   "log [id]",
		Short: "List the commits of the vault, or of one memory through its moves",
		Example: `  cp memory log
  cp memory log pf-7k2m9qx4 --limit 5
  cp memory log --since 7d -o jsonl`,
		Args: console.Takes(0, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o := past.Log{Ref: firstArgument(args), Limit: f.Limit()}
			if o.Since, err = f.Since(since); err != nil {
				return err
			}
			return showPast(f, cmd, f.Read, (*past.History).Log, o, render.WriteLog)
		},
	}
	console.RefsTo(cmd, 1, target.Gone)
	cmd.Flags().StringVar(&since, "since", "", "only since a `time`: 30m, 24h, 7d, 2w or 2026-01-31")
	return cmd
}

// changes lists what to read again.
func (f face) changes() *cobra.Command {
	var o past.Changes
	var filter app.Filter
	cmd := &cobra.Command{
		Use:   "changes --since <time|rev>",
		Short: "List the memories that have changed, to be read again",
		Long: `Compares the vault on disk with a commit, or with the last one before a point in
time. Memories with another text come first; then the new, deleted and moved ones,
and those that changed only in their header or pointers. Of the projects below it tells, too:
those that have not the commit are compared with how they were at its time.`,
		Example: `  cp memory changes --since 24h
  cp memory changes --since HEAD~5 -o json
  cp memory changes --since 7d --commits v1.1..HEAD`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Since == "" {
				return console.Invalid(cmd, "--since is required: a time such as 24h, 7d or 2026-01-31, or a commit")
			}
			return throughFamily(f, cmd, f.Read, func(ctx context.Context, fam *ask.Family) (past.Changed, error) {
				return fam.ListChanges(ctx, o, filter)
			}, render.WriteChanges)
		},
	}
	cmd.Flags().StringVar(&o.Since, "since", "", "a `time` (30m, 24h, 7d, yesterday, 2 days ago, 2026-01-31) or a commit")
	commitsFlag(cmd, &filter)
	return cmd
}

// diff compares a memory with an earlier version.
func (f face) diff() *cobra.Command {
	return console.RefsTo(&cobra.Command{
		Use:   "diff <id> [rev]",
		Short: "Compare a memory on disk with an earlier version, HEAD unless told otherwise",
		Long: `Compares the file on disk with the version in a commit, even if the memory had
another path there. A revision is anything that git takes for a commit, or a time:
7d, 24h, 2026-01-31.`,
		Example: `  cp memory diff pf-7k2m9qx4
  cp memory diff pf-7k2m9qx4 7d
  cp memory diff pf-7k2m9qx4 HEAD~3`,
		Args: console.Takes(1, 2, "an id and at most one revision"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := past.Diff{Ref: args[0], Rev: firstArgument(args[1:])}
			return showPast(f, cmd, f.Read, (*past.History).Diff, o, render.Diff)
		},
	}, 1, target.Gone)
}

// blame tells who wrote each line.
func (f face) blame() *cobra.Command {
	return console.RefsTo(&cobra.Command{
		Use:   "blame <id>",
		Short: "Say who wrote each line of a memory, when and by which command",
		Example: `  cp memory blame pf-7k2m9qx4
  cp memory blame pf-7k2m9qx4 -o jsonl`,
		Args: console.Takes(1, 1, "an id"),
		RunE: console.Runs(f.Console, f.Read, func(ctx context.Context, s *app.Session, args []string) ([]render.BlameLine, error) {
			_, rows, err := s.History().Blame(ctx, args[0])
			return render.BlameRows(rows), err
		}, render.Blame),
	}, 1, target.Gone)
}

// restore brings an earlier version back.
func (f face) restore() *cobra.Command {
	var o past.Restore
	cmd := &cobra.Command{
		Use:   "restore <id> [rev]",
		Short: "Bring back a deleted memory, or an earlier version of one",
		Long: `A deleted memory comes back to its place with the pointer to it; --recursive
also brings back the memories that the same commit deleted below it. An existing
memory gets the text of the revision; its place and its children stay. A revision
is anything that git takes for a commit, or a time: 7d, 24h, 2026-01-31.`,
		Example: `  cp memory restore pf-7k2m9qx4
  cp memory restore pf-7k2m9qx4 --recursive
  cp memory restore pf-7k2m9qx4 HEAD~2`,
		Args: console.Takes(1, 2, "an id and at most one revision"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref, o.Rev = args[0], firstArgument(args[1:])
			return showPast(f, cmd, f.Write, (*past.History).Restore, o, render.WriteRestored)
		},
	}
	console.RefsTo(cmd, 1, target.Gone)
	cmd.Flags().BoolVar(&o.Recursive, "recursive", false, "also the memories deleted below it")
	return cmd
}

// undo takes operations back.
func (f face) undo() *cobra.Command {
	var o past.Undo
	var force, dryRun bool
	cmd := &cobra.Command{
		Use:   "undo [n]",
		Short: "Take back the last n operations, all by one commit",
		Long: `Takes back whole operations, the newest first, no matter who made them, and says
first what it will do. History is kept: one new commit takes all of them back, and
can be undone with --op. If later work would be lost, nothing is undone. A file that was on disk before the operation stays there: it
loses what the operation wrote into it, such as its id, and is in no commit.`,
		Example: `  cp memory undo --dry-run
  cp memory undo 3 --force
  cp memory undo --op 20261102T140247.120-k3v9q2m1`,
		Args: console.Takes(0, 1, "a number"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if o.Op != "" {
					return console.Invalid(cmd, "--op names one operation, and takes no number beside it")
				}
				n, err := strconv.Atoi(args[0])
				if err != nil || n < 1 || n > console.MaxLimit {
					return console.Invalid(cmd, "how many operations to undo must be a number from 1 to %d, not %q", console.MaxLimit, args[0])
				}
				o.Count = n
			}
			return f.Write(cmd.Context(), func(s *app.Session) error { return f.takeBack(cmd.Context(), s, o, force, dryRun) })
		},
	}
	cmd.Flags().StringVar(&o.Op, "op", "", "this `operation` (cp memory log -o json) or commit instead of the newest")
	cmd.Flags().BoolVar(&force, "force", false, "ask nothing")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only tell what would be done")
	return cmd
}

func (f face) takeBack(ctx context.Context, s *app.Session, o past.Undo, force, dryRun bool) error {
	if dryRun || !force {
		rows, err := s.History().PlanUndo(ctx, o)
		if err != nil {
			return err
		}
		if dryRun {
			return console.AnswerWith(f.Console, rows, render.Undo)
		}
		question := func(s render.Screen) { render.UndoQuestion(s, rows) }
		if err := f.Ask(ctx, question, "--force", "nothing was undone"); err != nil {
			return err
		}
	}
	rows, err := s.History().Undo(ctx, o)
	if err != nil && len(rows) == 0 {
		return err
	}
	return cmp.Or(err, console.AnswerWith(f.Console, rows, render.WriteUndone))
}
