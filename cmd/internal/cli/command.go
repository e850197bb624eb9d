package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/embed"
)

// MeasureCommand returns the command.
func MeasureCommand(c console.Console) *cobra.Command {
	var o embed.Calibrate
	cmd := &cobra.Command{
		Use:   "embed-calibrate",
		Short: "Measure how much the vectors count beside the words",
		Long: `How much vectors help depends on the model and on the texts. This command asks for up to
300 memories by their trigger phrases, titles and headings, among up to 2,000, and searches
bodies alone, by words and by vectors, mixed with several weights. recall uses the best one
from then on, for this model in this clone. Unless it is better than the default, 0.1, by
more than chance, the default stays. With fewer than 50 questions nothing is measured and
nothing changes.

The bodies that are searched go to the model, at most four passages of each; --dry-run counts
them. Names are shorter than the questions that people ask, so take the figures as a
comparison of weights, not as what recall finds. "cp help vectors" tells more.`,
		Example: `  cp admin embed-calibrate --dry-run
  cp admin embed-calibrate`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return console.AskAndAnswer(c, cmd, c.Read, func(ctx context.Context, s *app.Session) (embed.Calibrated, error) {
				return s.Calibrate(ctx, o)
			}, func(s render.Screen, out embed.Calibrated) { tellWeights(s, out, o.DryRun) })
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "count what would go to the model, ask it nothing")
	return cmd
}
