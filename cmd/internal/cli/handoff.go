package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/journal"
)

// handoff leaves word for the next session, or shows what was left.
func (f face) handoff() *cobra.Command {
	var o journal.Handoff
	var body console.BodyFlags
	cmd := &cobra.Command{
		Use:   "handoff [text]",
		Short: "Leave word for the next session on this branch, or show what was left",
		Long: `Say what is done and what is next. The next session that an agent begins on this branch, in
this work tree, is told it before everything else, and with that it is closed. One is open
for each branch and work tree: a new one supersedes it. It is an entry of the journal of the
kind handoff, and keeps the commit, the branch and the names of up to 20 files that git
status calls changed. Without a text it lists what is open (cp help journal).`,
		Example: `  cp memory handoff "The parser is done. Next: its tests, then the README."
  cp memory handoff "Review what I changed" --to codex
  cp memory handoff`,
		Args: console.Takes(0, 1, "a text in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			given, err := body.IsSet(cmd)
			if err != nil {
				return err
			}
			if len(args) == 0 && !given {
				return f.listHandoffs(cmd)
			}
			if o.Text, err = body.ReadNewText(f.Console, cmd, args...); err != nil {
				return err
			}
			return body.KeepPiped(f.Console, f.Write(cmd.Context(), func(s *app.Session) error {
				done, err := s.HandOver(cmd.Context(), o)
				body.Done = err == nil
				return f.answerHandoff(done, err)
			}))
		},
	}
	console.Bind(cmd, &o)
	body.Bind(cmd)
	allowSecret(cmd, &o.AllowSecret)
	return console.Capturing(cmd)
}

// answerHandoff answers for handoff. A write that waits in the outbox has its own exit code.
func (f face) answerHandoff(h app.HandedOver, err error) error {
	switch {
	case err != nil:
		return err
	case !h.Memory.Queued:
		return console.AnswerWith(f.Console, h, render.WriteHandedOver)
	}
	if err := console.AnswerWith(f.Console, h, func(s render.Screen, h app.HandedOver) { render.WriteQueued(s, h.Busy, h.Memory.Why) }); err != nil {
		return err
	}
	return errQueued
}

// listHandoffs shows what is open.
func (f face) listHandoffs(cmd *cobra.Command) error {
	for _, name := range []string{"to", "session", "allow-secret"} {
		if cmd.Flags().Changed(name) {
			return console.Invalid(cmd, "--%s is for a hand-over with a text", name)
		}
	}
	return f.Look(cmd.Context(), func(s *app.Session) error {
		all, _, err := s.OpenHandoffs(cmd.Context())
		if err != nil {
			return err
		}
		if all == nil {
			all = []journal.OpenHandoff{}
		}
		return console.AnswerWith(f.Console, all, render.OpenHandoffs)
	})
}
