package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// embedBackfill makes the vectors that are missing.
func (f face) embedBackfill() *cobra.Command {
	var o embed.Run
	cmd := &cobra.Command{
		Use:   "embed-backfill",
		Short: "Make the vectors that are missing",
		Long: `Writes never wait for an embedding model; this command catches up. Each batch is
kept when it is done: stop it whenever you like and run it again. "cp help
vectors" tells how to choose a model.`,
		Example: `  cp admin embed-backfill --dry-run
  cp admin embed-backfill --batch-size 100
  cp admin embed-backfill --prune`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("batch-size") && (o.Batch < 1 || o.Batch > maxLimit) {
				return vault.Errorf(vault.CodeInvalid, "", "--batch-size must be 1-%d", maxLimit)
			}
			return f.read(cmd.Context(), func(s *session.Session) error { return f.runBackfill(cmd, s, o) })
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what is missing, ask no model")
	cmd.Flags().IntVar(&o.Batch, "batch-size", 0, "`texts` in one request (default embedding.batch, else 32)")
	cmd.Flags().StringArrayVar(&o.Types, "type", nil, "only files of these `types`, like memory,task")
	cmd.Flags().BoolVar(&o.Prune, "prune", false, "drop the vectors of texts that no file holds any more")
	return cmd
}

func (f face) runBackfill(cmd *cobra.Command, s *session.Session, o embed.Run) error {
	e := s.Settings.Embedding
	if !e.Given() {
		return vault.Errorf(vault.CodeConfig, "set embedding.provider in ~/.cp/config.yaml: cp help vectors", "no embedding model is configured")
	}
	if o.Batch == 0 {
		o.Batch = e.Batch
	}
	o.Types = split(o.Types)
	if err := f.fresh(cmd, s); err != nil {
		return err
	}
	bar := gauge{face: f, label: "embedding"}
	o.Progress = bar.at
	done, err := f.Embedder(s).Run(cmd.Context(), o)
	bar.end()
	if err != nil && done.Embedded == 0 {
		return err
	}
	if aerr := f.answer(done, func(s render.Screen) { render.Embedded(s, done, o.DryRun) }); err == nil {
		err = aerr
	}
	if err == nil && done.Failed > 0 {
		err = vault.Errorf(vault.CodeEmbedding, "cp admin embed-backfill tries them again", "%s got no vector: %s: %s",
			counted(done.Failed, "file", "files"), done.Failures[0].Path, done.Failures[0].Message)
	}
	return err
}

// fresh brings the mirror up to date with the files.
func (f face) fresh(cmd *cobra.Command, s *session.Session) error {
	return s.View(cmd.Context(), vault.Scope{}, func(vault.Tree) error { return nil })
}

// gauge is progress for a work whose size shows when it is under way.
type gauge struct {
	face
	label string
	set   func(done int)
	stop  func()
}

func (g *gauge) at(done, total int) {
	if g.set == nil {
		g.set, g.stop = g.progress(g.label, total)
	}
	g.set(done)
}

func (g *gauge) end() {
	if g.stop != nil {
		g.stop()
	}
}
