package cli

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault/journal"
)

// review shows what waits for a person.
func (f face) review() *cobra.Command {
	var q queue.Query
	var plain, yes bool
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Show what waits for a person's decision",
		Long: `What waits comes in this order: observations that enough sessions made, entries that ask
for a place in the tree, memories that are ready for the agents' own files, copies there
that are out of date, memories about code that has changed (the most read ones, at most 20
at a time), memories that an agent added and that say nearly what another one
says, memories without a trigger phrase, those put off to a day that has come, and
observations that too few sessions made. Showing them decides nothing. What waits in the
projects below is among it, and is decided in the vault that holds it.

On a terminal it is a full screen with keys: see cp help review. With --plain,
CP_ACCESSIBLE=1 or TERM=dumb each item is a paragraph and each answer a line; --plain
reads the answers out of a pipe, too. Each decision is a commit.`,
		Example: `  cp memory review
  cp memory review --limit 5 -o json
  cp memory review --plain
  cp memory review --yes
  cp memory review --denied`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if q.Offset < 0 {
				return console.Invalid(cmd, "--offset must not be negative")
			}
			if plain && !f.AsText() {
				return console.Invalid(cmd, "--plain asks a person, and its answer has no other form than text")
			}
			switch {
			case yes:
				return f.reviewYes(cmd)
			case !q.Denied && f.AsText() && !plain && f.fullScreen():
				q.Limit = f.Form.Rows()
				return f.reviewing(cmd, func(s *app.Session, r *queue.Review) error { return f.reviewScreen(cmd.Context(), s, r, q) })
			case !q.Denied && f.AsText() && f.inLines(plain):
				q.Limit = f.Form.Rows()
				return f.reviewing(cmd, func(s *app.Session, r *queue.Review) error {
					return tui.RunLines(cmd.Context(), r, q, f.inPerson(s))
				})
			}
			q.Limit = f.Limit()
			return f.Read(cmd.Context(), func(s *app.Session) error {
				return f.family(cmd.Context(), s, func(fam *ask.Family) error {
					found, err := queue.Begin(f.targetIn(s), fam).Queue(cmd.Context(), q)
					if err != nil {
						return err
					}
					f.Warn(fam.Warnings...)
					return f.queue(q, found)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&q.Denied, "denied", false, "what was denied, and how often it came back")
	cmd.Flags().IntVar(&q.Offset, "offset", 0, "leave out this many `items` at the start")
	cmd.Flags().BoolVar(&plain, "plain", false, "ask about each item in lines of text, without a screen")
	cmd.Flags().BoolVar(&yes, "yes", false, "approve all that meets the thresholds, and give it a place in the tree")
	cmd.MarkFlagsMutuallyExclusive("plain", "yes", "denied")
	return cmd
}

// inLines reports whether the person is asked in lines of text: because they want it, or
// because their terminal can do no more.
func (f face) inLines(plain bool) bool {
	if f.Form.NoInput {
		return false
	}
	return plain || f.InTTY && f.OutTTY && (f.Env("CP_ACCESSIBLE") == "1" || f.Env("TERM") == "dumb")
}

// inPerson is who is asked in lines of text.
func (f face) inPerson(s *app.Session) tui.LinePerson {
	f.Clear()
	return tui.LinePerson{
		Screen: f.Screen(), Warn: f.Warn, Echo: !f.InTTY,
		Line:  func() string { return console.ReadLine(f.In) },
		Break: func() { _, _ = io.WriteString(f.Out, "\n") },
		Edit:  func(ctx context.Context, text string) (string, error) { return f.EditedText(ctx, s, text) },
	}
}

// reviewing has fn work on what waits in the current vault and in those below it.
func (f face) reviewing(cmd *cobra.Command, fn func(*app.Session, *queue.Review) error) error {
	return f.Write(cmd.Context(), func(s *app.Session) error {
		return f.family(cmd.Context(), s, func(fam *ask.Family) error {
			f.Warn(fam.Warnings...)
			r := queue.Begin(f.targetIn(s), fam)
			defer r.Close()
			r.Unnamed = !fam.Several()
			return fn(s, r)
		})
	})
}

// reviewYes approves all that meets the thresholds. It answers also where some of it failed.
func (f face) reviewYes(cmd *cobra.Command) error {
	return f.reviewing(cmd, func(_ *app.Session, r *queue.Review) error {
		all, err := r.Yes(cmd.Context(), f.Form.Rows())
		if len(all) == 0 && err != nil {
			return err
		}
		return cmp.Or(console.AnswerWith(f.Console, all, render.Outcomes), err)
	})
}

// queue answers with a page of the queue, and says on stderr what other pages hold. As lines
// of JSON it is the items alone.
func (f face) queue(asked queue.Query, q journal.Queue) error {
	var answer any = q
	if format, _ := render.ParseFormat(f.Form.Output); format == render.JSONL {
		answer = q.Items
	}
	err := f.Answer(answer, func(s render.Screen) {
		switch {
		case q.Total == 0 && asked.Denied:
			s.Println("Nothing was denied.")
		case q.Total == 0:
			s.Println("Nothing waits for a decision.")
		default:
			render.Queue(s, q, asked.Offset+1)
		}
		render.LeftOver(s, q.LeftOver)
	})
	if next := asked.Offset + len(q.Items); next < q.Total && len(q.Items) > 0 {
		f.Errs().Printf("%d-%d of %d; the next ones: --offset %d\n", asked.Offset+1, next, q.Total, next)
	} else if len(q.Items) == 0 && q.Total > 0 {
		f.Errs().Printf("there are only %d; --offset %d is beyond them\n", q.Total, asked.Offset)
	}
	return err
}
