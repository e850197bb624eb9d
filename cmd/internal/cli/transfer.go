package cli

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/transfer"
)

// importTree brings a tree of Markdown into the vault.
func (f face) importTree() *cobra.Command {
	var o transfer.Import
	cmd := &cobra.Command{
		Use:   "import <folder|file>",
		Short: "Bring a tree of Markdown into the vault, in one commit",
		Long: `Any tree of Markdown: an Obsidian vault, a docs tree, agent files like CLAUDE.md.
Texts stay as they are, byte for byte. Titles and trigger phrases come from the
files' front matter where it has them. A second import changes nothing.`,
		Example: `  cp memory import docs --dry-run
  cp memory import docs --under pf-7k2m9qx4
  cp memory import docs --update`,
		Args: takes(1, 1, "a folder or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.write(cmd.Context(), func(s *app.Session) error { return f.runImport(cmd, s, o, args[0]) })
		},
	}
	cmd.Flags().StringVar(&o.Under, "under", "", "hang it below the memory with this `id`")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	cmd.Flags().BoolVar(&o.Update, "update", false, "replace the text of files imported before that differ now")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

func (f face) runImport(cmd *cobra.Command, s *app.Session, o transfer.Import, path string) error {
	src, err := readSources(cmd.Context(), s.Root, f.absolute(path))
	if err != nil {
		return err
	}
	o.Files, o.Skipped = src.Files, src.Skipped
	var stop func()
	o.Progress, stop = f.progress("importing", len(o.Files))
	r, err := o.Do(cmd.Context(), s.Vault)
	stop()
	if err != nil {
		return err
	}
	if err := f.said(r.Warnings, r, func(s render.Screen) { render.Imported(s, r) }); err != nil {
		return err
	}
	if len(r.Rows) > 0 && r.Skipped == len(r.Rows) {
		return vault.Errorf(vault.CodeInvalid, "import takes Markdown files (.md, .mdc) or folders of them",
			"nothing could be imported: %s", r.Rows[0].Reason)
	}
	return nil
}

// progress shows on a terminal how far a work is, until stop is called.
func (f face) progress(label string, total int) (set func(done int), stop func()) {
	if !f.Streams.ErrTTY || f.Env("TERM") == "dumb" {
		return func(int) {}, func() {}
	}
	p := render.StartProgress(f.Streams.Err, label, total)
	return p.Set, p.Stop
}

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
			return f.read(cmd.Context(), func(s *app.Session) error {
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
func (f face) exportLines(ctx context.Context, s *app.Session, under string) error {
	out := bufio.NewWriter(f.Streams.Out)
	err := transfer.Export(ctx, s.Vault, under, func(e transfer.Exported) error { return render.Value(out, render.JSONL, e) })
	return errors.Join(err, out.Flush())
}

// exportAll writes one document.
func (f face) exportAll(ctx context.Context, s *app.Session, under string) error {
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
func (f face) exportFiles(ctx context.Context, s *app.Session, under, to string) error {
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
