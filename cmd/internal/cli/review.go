package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/review"
)

// review shows what waits for a person.
func (f face) review() *cobra.Command {
	var q app.Queue
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Show what waits for a person's decision",
		Long: `What waits comes in this order: observations that enough sessions made, entries that ask
for a place in the tree, memories that are ready for the agents' own files, copies there
that are out of date, memories that an agent added and that say nearly what another one
says, memories without a trigger phrase, those put off to a day that has come, and
observations that too few sessions made. Showing them decides nothing.`,
		Example: `  cp memory review
  cp memory review --limit 5 -o json
  cp memory review --denied`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if q.Offset < 0 {
				return invalid(cmd, "--offset must not be negative")
			}
			q.Limit = f.limit()
			return f.read(cmd.Context(), func(s *app.Session) error {
				found, err := s.Queue(cmd.Context(), q)
				if err != nil {
					return err
				}
				return f.queue(q, found)
			})
		},
	}
	cmd.Flags().BoolVar(&q.Denied, "denied", false, "what was denied, and how often it came back")
	cmd.Flags().IntVar(&q.Offset, "offset", 0, "leave out this many `items` at the start")
	return cmd
}

// queue answers with a page of the queue, and says on stderr what other pages hold. As lines
// of JSON it is the items alone.
func (f face) queue(asked app.Queue, q review.Queue) error {
	var answer any = q
	if format, _ := render.ParseFormat(f.Flags.Output); format == render.JSONL {
		answer = q.Items
	}
	err := f.answer(answer, func(s render.Screen) {
		switch {
		case q.Total == 0 && asked.Denied:
			s.Println("Nothing was denied.")
		case q.Total == 0:
			s.Println("Nothing waits for a decision.")
		default:
			render.Queue(s, q, asked.Offset+1)
		}
	})
	if next := asked.Offset + len(q.Items); next < q.Total && len(q.Items) > 0 {
		f.errs().Printf("%d-%d of %d; the next ones: --offset %d\n", asked.Offset+1, next, q.Total, next)
	} else if len(q.Items) == 0 && q.Total > 0 {
		f.errs().Printf("there are only %d; --offset %d is beyond them\n", q.Total, asked.Offset)
	}
	return err
}
