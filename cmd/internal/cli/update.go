package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// updateFlags are the changes update can make; unset ones change nothing.
type updateFlags struct {
	title, appended, summary, status string
	add, remove                      []string
	body                             bodyFlags
}

// update changes one memory.
func (f face) update() *cobra.Command {
	var o tree.Amend
	var u updateFlags
	cmd := &cobra.Command{
		Use:   "update <id>",
		Short: "Change a memory's title, text, labels, summary or status",
		Example: `  cp memory update pf-7k2m9qx4 --append "Since v2 the worker restarts by itself."
  cp memory update pf-7k2m9qx4 --section Rollback --body-file rollback.md
  cp memory update pf-7k2m9qx4 --label nomad --remove-label draft --status closed
  hash=$(cp memory show pf-7k2m9qx4 -o json | jq -r .hash)
  cp memory update pf-7k2m9qx4 --body-file new.md --if-match "$hash"`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			if err := u.fill(f, cmd, &o); err != nil {
				return err
			}
			return f.write(cmd.Context(), func(s *session.Session) error {
				return f.amend(cmd, s, o, "Updated")
			})
		},
	}
	u.bind(cmd)
	cmd.Flags().StringVar(&o.Section, "section", "", "with --body: replace only what stands below this `heading`")
	cmd.Flags().StringVar(&o.IfMatch, "if-match", "", "only if the file's `hash` is still this one (show -o json)")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

func (u *updateFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&u.title, "title", "", "the `title`")
	u.body.bind(cmd)
	flags.StringVar(&u.appended, "append", "", "add a `paragraph` at the end of the text")
	flags.StringArrayVar(&u.add, "label", nil, "`labels` to add")
	flags.StringArrayVar(&u.remove, "remove-label", nil, "`labels` to take away")
	flags.StringVar(&u.summary, "summary", "", "the trigger `phrase`")
	flags.StringVar(&u.status, "status", "", "`word`: open, closed, deferred, in_progress …")
}

// fill sets in o what was given on the command line.
func (u *updateFlags) fill(f face, cmd *cobra.Command, o *tree.Amend) error {
	given, err := u.body.given(cmd)
	if err != nil {
		return err
	}
	if given {
		text, err := u.body.read(f, cmd)
		if err != nil {
			return err
		}
		o.Body = &text
	}
	o.Title = set(cmd, "title", &u.title)
	o.Append = set(cmd, "append", &u.appended)
	o.Summary = set(cmd, "summary", &u.summary)
	o.Status = set(cmd, "status", &u.status)
	o.AddLabels, o.RemoveLabels = split(u.add), split(u.remove)
	return checkUpdate(cmd, *o)
}

// set returns the flag's value when it was given, else nil.
func set(cmd *cobra.Command, flag string, value *string) *string {
	if !cmd.Flags().Changed(flag) {
		return nil
	}
	return value
}

func checkUpdate(cmd *cobra.Command, o tree.Amend) error {
	text := o.Title != nil || o.Body != nil || o.Append != nil || o.Summary != nil || o.Status != nil
	switch {
	case cmd.Flags().Changed("section") && strings.TrimSpace(o.Section) == "":
		return invalid(cmd, "--section needs the name of a heading")
	case !text && len(o.AddLabels)+len(o.RemoveLabels) == 0:
		return invalid(cmd, "nothing to change: give --title, --body, --append, --label, --summary or --status")
	}
	return nil
}

// amend changes a memory and answers.
func (f face) amend(cmd *cobra.Command, s *session.Session, o tree.Amend, done string) error {
	a, err := o.Do(cmd.Context(), s.Vault)
	if err != nil {
		return err
	}
	return f.said(a.Warnings, a, func(s render.Screen) { render.Amended(s, done, a) })
}
