package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/past"
)

// undo takes operations back.
func (f face) undo() *cobra.Command {
	var o past.Undo
	var force, dryRun bool
	cmd := &cobra.Command{
		Use:   "undo [n]",
		Short: "Take back the last n operations, all by one commit",
		Long: `Takes back whole operations, the newest first, whoever made them, and tells
before what it will do. History is kept: one new commit takes all of them back,
and that can be undone with --op. What would lose later work is refused, and then
nothing is undone. A file that was on disk before the operation stays there: it
loses what the operation wrote into it, such as its id, and is in no commit.`,
		Example: `  cp memory undo --dry-run
  cp memory undo 3 --force
  cp memory undo --op 20261102T140247.120-k3v9q2m1`,
		Args: takes(0, 1, "a number"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if o.Op != "" {
					return invalid(cmd, "--op names one operation, and takes no number beside it")
				}
				n, err := strconv.Atoi(args[0])
				if err != nil || n < 1 || n > maxLimit {
					return invalid(cmd, "how many operations to undo must be a number from 1 to %d, not %q", maxLimit, args[0])
				}
				o.Count = n
			}
			return f.write(cmd.Context(), func(s *session.Session) error { return f.takeBack(cmd.Context(), s, o, force, dryRun) })
		},
	}
	cmd.Flags().StringVar(&o.Op, "op", "", "this `operation` (cp memory log -o json) or commit instead of the newest")
	cmd.Flags().BoolVar(&force, "force", false, "ask nothing")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only tell what would be done")
	return cmd
}

func (f face) takeBack(ctx context.Context, s *session.Session, o past.Undo, force, dryRun bool) error {
	if dryRun || !force {
		rows, err := s.History().PlanUndo(ctx, o)
		if err != nil {
			return err
		}
		if dryRun {
			return f.answer(rows, func(s render.Screen) { render.Undo(s, rows) })
		}
		question := func(s render.Screen) { render.UndoQuestion(s, rows) }
		if err := f.ask(ctx, question, "--force", "nothing was undone"); err != nil {
			return err
		}
	}
	rows, err := s.History().Undo(ctx, o)
	if err != nil && len(rows) == 0 {
		return err
	}
	if told := f.answer(rows, func(s render.Screen) { render.Undone(s, rows) }); err == nil {
		err = told
	}
	return err
}
