package sessions

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transcript"
)

// Extend gives the command observe the flag --from-session.
func Extend(c console.Console, cmd *cobra.Command) *cobra.Command {
	var o Observe
	args, run := cmd.Args, cmd.RunE
	console.Bind(cmd, &o)
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		switch from := cmd.Flags().Changed("from-session"); {
		case !from && o.DryRun:
			return console.Invalid(cmd, "--dry-run goes with --from-session")
		case !from:
			return args(cmd, given)
		case len(given) > 0:
			return console.Invalid(cmd, "give a text, or --from-session, not both")
		case strings.TrimSpace(o.From) == "":
			return console.Invalid(cmd, "--from-session needs a file, or latest")
		case cmd.Flags().Changed("session") || cmd.Flags().Changed("kind"):
			return console.Invalid(cmd, "the session and the kind come from the session itself")
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if !cmd.Flags().Changed("from-session") {
			return run(cmd, given)
		}
		o.Agent = c.Flags.Agent
		return c.ReadIfDry(o.DryRun, c.Write)(cmd.Context(), func(s *app.Session) error {
			out, err := Room{c.App, s}.Observe(cmd.Context(), o, func(cost string) { c.Errs().Println(render.Line(cost)) }, askPerson(c))
			if err != nil {
				return err
			}
			return console.AnswerWith(c, out, writeResult)
		})
	}
	return cmd
}

// askPerson asks the person for each proposal; nil where nobody is there.
func askPerson(c console.Console) Decide {
	if !c.IsAttended() {
		return nil
	}
	return func(ctx context.Context, p transcript.Proposal) (keep, more bool) {
		c.Errs().Printf("\n  %s\n  > %s\nKeep it? [y/N/q] ", render.Line(p.Text), render.Line(p.Quote))
		switch c.Choice(ctx) {
		case "y", "yes":
			return true, true
		case "q", "quit":
			return false, false
		}
		return false, ctx.Err() == nil
	}
}

// writeResult tells what became of a session.
func writeResult(s render.Screen, r Result) {
	for _, k := range r.Kept {
		word := "pending"
		switch {
		case k.Unchanged:
			word = "known"
		case !k.New:
			word = "counted"
		}
		s.Printf("%-8s %s %q\n         > %s\n", word, k.ID, render.Line(k.Title), render.Line(k.Quote))
	}
	for _, skipped := range r.Skipped {
		s.Printf("left out %s\n", render.Line(skipped))
	}
	switch {
	case r.DryRun:
		s.Printf("%s of %s %s, about %d tokens; nothing was asked\n", vault.Plural(r.Turns-r.Older, "turn", "turns"), r.Agent, render.Line(r.Session), r.Tokens)
	case r.Turns == 0:
		s.Printf("Nothing new was said in %s %s.\n", r.Agent, render.Line(r.Session))
	default:
		s.Printf("%s from %s of %s %s\n", vault.Plural(len(r.Kept), "observation", "observations"), vault.Plural(r.Turns-r.Older, "turn", "turns"), r.Agent, render.Line(r.Session))
	}
	if r.Older > 0 {
		s.Printf("The %s before them were left out: the session is long.\n", vault.Plural(r.Older, "turn", "turns"))
	}
}
