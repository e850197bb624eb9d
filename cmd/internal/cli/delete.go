package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// remove deletes memories.
func (f face) remove() *cobra.Command {
	var o tree.Delete
	var force bool
	cmd := &cobra.Command{
		Use:   "delete <id>",
		Short: "Delete a memory and the pointer to it; git's history keeps it",
		Example: `  cp memory delete pf-7k2m9qx4
  cp memory delete pf-7k2m9qx4 --recursive --force`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			return f.write(cmd.Context(), func(s *session.Session) error {
				if err := f.confirmDelete(cmd.Context(), s, o, force); err != nil {
					return err
				}
				d, err := o.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.said(d.Warnings, d, func(s render.Screen) { render.Deleted(s, d) })
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "ask nothing")
	cmd.Flags().BoolVar(&o.Recursive, "recursive", false, "all descendants too")
	return cmd
}

// confirmDelete checks what would be deleted, and asks unless forced.
func (f face) confirmDelete(ctx context.Context, s *session.Session, o tree.Delete, force bool) error {
	if force {
		return nil
	}
	doomed, err := o.Preview(ctx, s.Vault)
	if err != nil {
		return err
	}
	return f.ask(ctx, func(s render.Screen) { render.Doomed(s, doomed, o.Recursive) }, "--force", "nothing was deleted")
}
