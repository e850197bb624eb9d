package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// batch makes many writes in one commit.
func (f face) batch() *cobra.Command {
	var o tree.Batch
	cmd := &cobra.Command{
		Use:   "batch [file]",
		Short: "Make many writes in one commit: JSON lines from a file or stdin",
		Long: `Each line is one write: "verb" is add, add-sub or update, and the other fields
are its flags. All lines are written, or none: a line that cannot be is named by
its number.

  {"verb": "add", "text": …, "title": …, "labels": […], "summary": …, "type": …, "references": […]}
  {"verb": "add-sub", "parent": …, "title": …, "body": …, "labels": […], "summary": …}
  {"verb": "update", "id": …, "title": …, "body": …, "section": …, "append": …,
   "labels": […], "remove_labels": […], "summary": …, "status": …, "if_match": …}

A line may have a "key"; where a later line names a memory, "$key" is the one of
that line, and "$3" that of line 3. The answer is one JSON line for each line.`,
		Example: `  cp memory batch lines.jsonl --dry-run
  cp memory batch <<'EOF'
  {"verb": "add", "key": "ops", "title": "Operations", "text": "How it is run."}
  {"verb": "add-sub", "parent": "$ops", "title": "Restart", "body": "…", "summary": "If it hangs"}
  EOF`,
		Args: takes(0, 1, "one file of JSON lines; without it, or with -, stdin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			lines, err := f.batchLines(cmd, first(args))
			if err != nil {
				return err
			}
			o.Lines = lines
			open := f.write
			if o.DryRun {
				open = f.read
			}
			return open(cmd.Context(), func(s *session.Session) error {
				done, err := o.Do(cmd.Context(), s.Vault)
				if err != nil && vault.CodeOf(err) != vault.CodeQueued { // queued: it is as good as done
					return err
				}
				return errors.Join(f.batched(done, o.DryRun), err)
			})
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// batched answers with JSON lines, unless another form is asked for.
func (f face) batched(done tree.Batched, dry bool) error {
	for _, r := range done.Rows {
		for _, w := range r.Warnings {
			f.errs().Warn(lineOf(r.Line) + w)
		}
	}
	if f.Flags.Output == "" {
		f.Flags.Output = string(render.JSONL)
	}
	return f.said(done.Notes, done.Rows, func(s render.Screen) { render.Batched(s, done.Rows, dry) })
}
