package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault/tree"
)

// addParent gives a folder a memory.
func (f face) addParent() *cobra.Command {
	var o tree.AddParent
	cmd := &cobra.Command{
		Use:   "add-parent <folder>",
		Short: "Give a folder a memory of its own, so that a phrase can stand there",
		Long: `Makes x.md for the folder x/. The memories in the folder become its children, and
it gets a pointer to each. One commit does all of it; no other file moves.`,
		Example: `  cp memory add-parent notes/2026 --summary "When you look for what we noted this year"
  cp memory add-parent Clippings/ --title "What others wrote"`,
		Args:              console.Takes(1, 1, "a folder"),
		ValidArgsFunction: f.CompleteFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			return console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (tree.Parented, error) { return s.AddParent(ctx, args[0], o) }, render.WriteParented)
		},
	}
	console.RefsTo(cmd, 1, target.Folder)
	console.Bind(cmd, &o)
	return cmd
}
