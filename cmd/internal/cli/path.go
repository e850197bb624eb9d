package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
)

// located is a memory's file as programs get it.
type located struct {
	ID   vault.ID   `json:"id"`
	Path vault.Path `json:"path"` // relative to the vault
	File string     `json:"file"` // absolute
}

// path prints where a memory's file is.
func (f face) path() *cobra.Command {
	return &cobra.Command{
		Use:   "path <id>",
		Short: "Print the path of a memory's file",
		Example: `  cp memory path pf-7k2m9qx4
  less "$(cp memory path pf-7k2m9qx4)"`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *session.Session) error {
				n, err := s.Locate(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				l := located{n.ID, n.Path, file(s, n)}
				return f.answer(l, func(s render.Screen) { s.Exact(l.File) })
			})
		},
	}
}

// file is the absolute path of a memory's file.
func file(s *session.Session, n vault.Node) string {
	return filepath.Join(s.Root, filepath.FromSlash(string(n.Path)))
}
