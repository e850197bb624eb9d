package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// reindex builds the index again.
func (f face) reindex() *cobra.Command {
	return &cobra.Command{
		Use:   "reindex",
		Short: "Build the index again from the files",
		Long: `The index is a mirror of the files: it can be deleted at any time, and the next command
builds it. This does both at once, and lists the files that cannot be understood. Ids,
counts and texts are the same afterwards.`,
		Example: `  cp memory reindex`,
		RunE: console.Runs(f.Console, f.Read, func(ctx context.Context, s *app.Session, _ []string) (app.Reindexed, error) {
			return s.Reindex(ctx)
		}, render.WriteReindexed),
	}
}

// verify compares the index with the files.
func (f face) verify() *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Compare the index with every file, byte for byte",
		Long: `Reads every file, where other commands look at sizes and times alone. Tells which files the
index lacks (missing), which rows have no file (orphaned) and where it has another text or
says something else: a title, a phrase, a parent, a label, a link, a fact (mismatched). To
know, it makes the index once more, in memory. The exit code is 1 if there is any of these.`,
		Example: `  cp memory verify
  cp memory verify --repair`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.Read(cmd.Context(), func(s *app.Session) error {
				v, err := s.Verify(cmd.Context(), repair)
				if err != nil {
					return err
				}
				if err := console.AnswerWith(f.Console, v, render.WriteVerified); err != nil || v.Consistent {
					return err
				}
				return vault.Errorf(vault.CodeDamaged, "cp memory verify --repair builds the index again", "the index does not agree with the files")
			})
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "build the index again where they differ")
	return cmd
}
