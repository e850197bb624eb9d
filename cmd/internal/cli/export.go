package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/transfer"
)

// export writes memories out.
func (f face) export() *cobra.Command {
	var under, to, as, spec string
	var filter app.Filter
	var longTerm bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write memories out as JSON, YAML or a tree of files",
		Long: `Without --as all memories of this project and those below it, or those below --under, with
their texts. In the folder --to the files of another project have a folder of their own.

With --as cs the entries of the journal as one JSON document in the form of cs-memory: to
the standard output, or to the file --to. With --long-term the entries that have a place in
the tree and are not in core, as the document long-term-memory.md of the program sanj. These
two are of one vault.`,
		Example: `  cp memory export -o jsonl > memories.jsonl
  cp memory export --under pf-7k2m9qx4 -o json
  cp memory export --to ../backup
  cp memory export --commits v1.1..v1.2 -o json
  cp memory export --as cs --spec storage --to ../storage.json
  cp memory export --long-term`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, _ := render.ParseFormat(f.Form.Output)
			switch {
			case longTerm && under != "":
				return console.Invalid(cmd, "--under does not go with --long-term")
			case (longTerm || as != "") && filter.Commits != "":
				return console.Invalid(cmd, "--commits goes neither with --long-term nor with --as")
			case longTerm:
				return document(f, cmd, to, transfer.LongTerm, func(items []tier.Item) int { return len(items) }, render.LongTermView)
			case as != "":
				if err := asFits(cmd, as); err != nil {
					return err
				}
				return document(f, cmd, to, transfer.CS{Spec: spec}.Read, entriesOf, jsonText)
			case spec != "":
				return console.Invalid(cmd, "--spec goes with --as cs")
			case to != "":
				return throughFamily(f, cmd, f.Read, func(ctx context.Context, fam *ask.Family) (ask.Exported, error) {
					return fam.ExportTo(ctx, under, to, filter)
				}, exportedTo)
			case format == render.Text:
				return console.Invalid(cmd, "give a form, -o json, jsonl or yaml, or a folder, --to DIR")
			}
			return f.Read(cmd.Context(), func(s *app.Session) error {
				return f.family(cmd.Context(), s, func(fam *ask.Family) error { return f.writeExport(cmd.Context(), fam, under, filter, format) })
			})
		},
	}
	cmd.Flags().StringVar(&under, "under", "", "only the memory with this `id` and all below it")
	cmd.Flags().StringVar(&to, "to", "", "write the files into this `folder`, or with --as and --long-term into this file; nothing is ever overwritten")
	cmd.Flags().StringVar(&as, "as", "", "the `form` of another program: cs")
	cmd.Flags().BoolVar(&longTerm, "long-term", false, "the view of long-term memory, the latest first")
	cmd.MarkFlagsMutuallyExclusive("as", "long-term")
	commitsFlag(cmd, &filter)
	cmd.Flags().StringVar(&spec, "spec", "", "with --as: only entries of the piece of work with this `name`")
	return cmd
}

// asFits refuses what --as does not go with.
func asFits(cmd *cobra.Command, as string) error {
	switch {
	case as != "cs":
		return console.Invalid(cmd, "--as takes cs, but got %q", as)
	case cmd.Flags().Changed("under"):
		return console.Invalid(cmd, "--under does not go with --as: entries have no place in a tree there")
	}
	return nil
}

// jsonText writes an answer as JSON, whatever form is asked for.
func jsonText[R any](s render.Screen, r R) { _ = render.Value(s, render.JSON, r) }

// entriesOf counts the entries of a document.
func entriesOf(d transfer.CSDocument) int { return len(d.Memories) }

// document answers with one document, or writes its text into a file.
func document[R any](f face, cmd *cobra.Command, to string, read func(context.Context, *vault.Vault) (R, error), count func(R) int, text func(render.Screen, R)) error {
	if to == "" {
		return console.AskAndAnswer(f.Console, cmd, f.Read, console.InVault(read), text)
	}
	return console.AskAndAnswer(f.Console, cmd, f.Read, func(ctx context.Context, s *app.Session) (app.Written, error) {
		r, err := read(ctx, s.Vault)
		if err != nil {
			return app.Written{}, err
		}
		var b bytes.Buffer
		text(render.Screen{Writer: &b}, r)
		return s.WriteDocument(to, b.Bytes(), count(r))
	}, render.WriteExported)
}

// exportedTo writes the outcome of an export to a folder.
func exportedTo(s render.Screen, e ask.Exported) {
	s.Printf("Exported %d files to %s\n", e.Files, e.Folder)
	for _, in := range e.Projects {
		s.Printf("  %s: %d files in %s\n", render.Line(in.Project), in.Files, in.Folder)
	}
}

// writeExport writes one document, or a line for each memory as it comes, so that the
// vault need not fit into memory.
func (f face) writeExport(ctx context.Context, fam *ask.Family, under string, filter app.Filter, format render.Format) error {
	if f.OutTTY {
		f.Clear()
	}
	out := bufio.NewWriter(f.Out)
	all := []transfer.Exported{}
	err := fam.Export(ctx, under, filter, func(e transfer.Exported) error {
		if format == render.JSONL {
			return render.Value(out, format, e)
		}
		all = append(all, e)
		return nil
	})
	f.Warn(fam.Warnings...)
	if format == render.JSONL {
		return cmp.Or(console.Unwritten(out.Flush()), err)
	}
	if err != nil {
		return err
	}
	return f.Answer(all, nil)
}
