package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// search finds memories by their words.
func (f face) search() *cobra.Command {
	var l listFlags
	cmd := &cobra.Command{
		Use:   "search <words>",
		Short: "Find memories by their words, the best first",
		Example: `  cp memory search "allocation stuck"
  cp memory search nomad restart --under pf-7k2m9qx4 --limit 5`,
		Args: takes(1, 1000, "what to search for"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *session.Session) error {
				o, err := l.options(cmd.Context(), f, s)
				if err != nil {
					return err
				}
				page, err := tree.Search(cmd.Context(), s.Vault, strings.Join(args, " "), o)
				if err != nil {
					return err
				}
				if err := f.page(page, o, "No matching memories found.", render.Hits); err != nil {
					return err
				}
				return f.unlabelled(cmd.Context(), s, page, o)
			})
		},
	}
	l.bind(cmd)
	return cmd
}
