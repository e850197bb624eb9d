package measure

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/calibrate"
)

// Command returns the command.
func Command(c console.Console) *cobra.Command {
	var o calibrate.Run
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
			return console.Asked(c, cmd, c.Read, func(ctx context.Context, s *app.Session) (calibrate.Outcome, error) {
				return run(ctx, c, s, o)
			}, func(s render.Screen, out calibrate.Outcome) { told(s, out, o.DryRun) })
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "count what would go to the model, ask it nothing")
	return cmd
}

// run measures with the model of the settings.
func run(ctx context.Context, c console.Console, s *app.Session, o calibrate.Run) (calibrate.Outcome, error) {
	e := s.Settings.Embedding
	if !e.Given() {
		return calibrate.Outcome{}, vault.Errorf(vault.CodeConfig, "set embedding.provider in ~/.cp/config.yaml: cp help vectors", "no embedding model is configured")
	}
	if err := s.View(ctx, vault.Scope{}, func(vault.Tree) error { return nil }); err != nil {
		return calibrate.Outcome{}, err
	}
	o.Batch = e.Batch
	var set func(int)
	end := func() {}
	if c.App.Progress != nil {
		o.Progress = func(done, total int) {
			if set == nil {
				set, end = c.App.Progress("calibrating", total)
			}
			set(done)
		}
	}
	out, err := calibrate.Ports{Ports: c.App.Embedder(s), Lexicon: s.Lexicon, Nodes: s.Mirror.Nodes}.Run(ctx, o)
	end()
	out.Settings = float64(e.Weight)
	return out, err
}
