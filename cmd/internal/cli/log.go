package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/past"
)

// log lists what was done.
func (f face) log() *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use:   "log [id]",
		Short: "List what was done, to the vault or to one memory, through its moves",
		Example: `  cp memory log
  cp memory log pf-7k2m9qx4 --limit 5
  cp memory log --since 7d -o jsonl`,
		Args:              takes(0, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o := past.Log{Limit: f.limit(defaultLimit)}
			if len(args) > 0 {
				o.Ref = args[0]
			}
			if since != "" {
				var err error
				if o.Since, err = past.ParseSince(since, f.Now()); err != nil {
					return err
				}
			}
			return f.read(cmd.Context(), func(s *session.Session) error {
				rows, err := s.History().Log(cmd.Context(), o)
				if err != nil {
					return err
				}
				return f.answer(rows, func(s render.Screen) { render.Log(s, rows) })
			})
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "only since a `time`: 30m, 24h, 7d, 2w or 2026-01-31")
	return cmd
}
