package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/tree"
)

// move gives a memory another parent.
func (f face) move() *cobra.Command {
	var o tree.Move
	cmd := &cobra.Command{
		Use:   "move <id> <new-parent-id>",
		Short: "Give a memory another parent; its children move along",
		Long: `Gives a memory another parent, or none with --root. The file goes there with its folder,
and the pointers of both parents change in the same commit. Where the parent is the
present one, --summary sets the phrase. A closed memory takes no new sub-memories.

Links in what moves, and in other memories to it, are mended in the same commit, and so
are paths under references:. [[rollback]], by the name of a file, stays while it means the
same memory. With --keep-links they are named and left as they are.`,
		Example: `  cp memory move pf-7k2m9qx4 pf-3hd8w2na
  cp memory move pf-7k2m9qx4 --root`,
		Args: console.Takes(1, 2, "an id and a new parent's id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.Root && len(args) > 1:
				return console.Invalid(cmd, "a new parent and --root are mutually exclusive")
			case !o.Root && len(args) < 2:
				return console.Invalid(cmd, "a new parent's id or --root is required")
			}
			o.Ref, o.To = args[0], firstArgument(args[1:])
			return console.AskAndAnswer(f.Console, cmd, f.Write, console.InVault(o.Do), render.WriteMoved)
		},
	}
	console.Refs(cmd, 2)
	console.Bind(cmd, &o)
	return cmd
}

// remove deletes memories.
func (f face) remove() *cobra.Command {
	var o tree.Delete
	var force bool
	cmd := &cobra.Command{
		Use:   "delete <id>",
		Short: "Delete a memory and the pointer to it; git's history keeps it",
		Example: `  cp memory delete pf-7k2m9qx4
  cp memory delete pf-7k2m9qx4 --recursive --force`,
		Args: console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			return console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (d tree.Deleted, err error) {
				if err = s.CheckFile(ctx, o.Ref); err == nil && !force {
					err = f.confirmDelete(ctx, s, o)
				}
				if err != nil {
					return d, err
				}
				return o.Do(ctx, s.Vault)
			}, render.WriteDeleted)
		},
	}
	console.Refs(cmd, 1)
	cmd.Flags().BoolVar(&force, "force", false, "ask nothing")
	console.Bind(cmd, &o)
	return cmd
}

// confirmDelete checks what would be deleted, and asks.
func (f face) confirmDelete(ctx context.Context, s *app.Session, o tree.Delete) error {
	d, err := o.Preview(ctx, s.Vault)
	if err != nil {
		return err
	}
	return f.Ask(ctx, func(s render.Screen) { render.DeletePreview(s, d, o.Recursive) }, "--force", "nothing was deleted")
}
