package cli

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/transfer"
)

// export writes memories out.
func (f face) export() *cobra.Command {
	var under, to string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write memories out as JSON, YAML or a tree of files",
		Example: `  cp memory export -o jsonl > memories.jsonl
  cp memory export --under pf-7k2m9qx4 -o json
  cp memory export --to ../backup`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, _ := render.ParseFormat(f.Flags.Output)
			if to == "" && format == render.Text {
				return invalid(cmd, "give a form, -o json, jsonl or yaml, or a folder, --to DIR")
			}
			return f.read(cmd.Context(), func(s *session.Session) error {
				switch {
				case to != "":
					return f.exportFiles(cmd.Context(), s, under, to)
				case format == render.JSONL:
					return f.exportLines(cmd.Context(), s, under)
				}
				return f.exportAll(cmd.Context(), s, under)
			})
		},
	}
	cmd.Flags().StringVar(&under, "under", "", "only the memory with this `id` and all below it")
	cmd.Flags().StringVar(&to, "to", "", "write the files into this `folder`; nothing is ever overwritten")
	return cmd
}

// exportLines writes a line for each memory as it comes, so that the vault need
// not fit into memory.
func (f face) exportLines(ctx context.Context, s *session.Session, under string) error {
	out := bufio.NewWriter(f.Streams.Out)
	err := transfer.Export(ctx, s.Vault, under, func(e transfer.Exported) error { return render.Value(out, render.JSONL, e) })
	return errors.Join(err, out.Flush())
}

// exportAll writes one document.
func (f face) exportAll(ctx context.Context, s *session.Session, under string) error {
	var all []transfer.Exported
	err := transfer.Export(ctx, s.Vault, under, func(e transfer.Exported) error {
		all = append(all, e)
		return nil
	})
	if err != nil {
		return err
	}
	return f.answer(all, func(render.Screen) {})
}

// exported is what an export to a folder did.
type exported struct {
	Folder string `json:"folder"`
	Files  int    `json:"files"`
}

// exportFiles writes the files as they are, in their places.
func (f face) exportFiles(ctx context.Context, s *session.Session, under, to string) error {
	dir := f.absolute(to)
	if rel, err := filepath.Rel(s.Root, dir); err == nil && filepath.IsLocal(rel) {
		return vault.Errorf(vault.CodeInvalid, "choose a folder outside of "+s.Root, "'%s' lies in the vault", to)
	}
	out := exported{Folder: dir}
	err := transfer.Export(ctx, s.Vault, under, func(e transfer.Exported) error {
		out.Files++
		return exportFile(dir, e)
	})
	if err != nil {
		return err
	}
	return f.answer(out, func(s render.Screen) { s.Printf("Exported %d files to %s\n", out.Files, out.Folder) })
}

func exportFile(dir string, e transfer.Exported) error {
	path := filepath.Join(dir, filepath.FromSlash(string(e.Path)))
	err := disk.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = disk.Write(path, e.Raw, 0o666)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return vault.Errorf(vault.CodeInvalid, "choose an empty folder", "%s exists; nothing was overwritten", path)
	case err != nil:
		return vault.Errorf(vault.CodeIO, "", "cannot write %s: %w", path, reason(err))
	}
	return nil
}
