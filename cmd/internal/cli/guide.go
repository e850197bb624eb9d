package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/guide"
)

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
			return f.read(cmd.Context(), func(s *session.Session) error {
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
