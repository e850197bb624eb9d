package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
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
			return f.write(cmd.Context(), func(s *session.Session) error { return f.runImport(cmd, s, o, args[0]) })
		},
	}
	cmd.Flags().StringVar(&o.Under, "under", "", "hang it below the memory with this `id`")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	cmd.Flags().BoolVar(&o.Update, "update", false, "replace the text of files imported before that differ now")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

func (f face) runImport(cmd *cobra.Command, s *session.Session, o transfer.Import, path string) error {
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
