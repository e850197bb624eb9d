package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
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
			return f.write(cmd.Context(), func(s *app.Session) error {
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
func (f face) amend(cmd *cobra.Command, s *app.Session, o tree.Amend, done string) error {
	a, err := o.Do(cmd.Context(), s.Vault)
	if err != nil {
		return err
	}
	return f.said(a.Warnings, a, func(s render.Screen) { render.Amended(s, done, a) })
}

// settled is the outcome of resolve and defer as programs get it.
type settled struct {
	Success bool `json:"success"`
	tree.Amended
}

// resolve closes a memory.
func (f face) resolve() *cobra.Command {
	var resolution string
	var allowed bool
	cmd := &cobra.Command{
		Use:   "resolve <id>",
		Short: "Close a memory, with a note on how it ended",
		Example: `  cp memory resolve pf-7k2m9qx4
  cp memory resolve pf-7k2m9qx4 --resolution "Fixed in v2.3: the worker restarts by itself."`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			closed := vault.StatusClosed
			o := tree.Amend{Ref: args[0], Status: &closed, Resolution: resolution, Verb: "resolve", AllowSecret: allowed}
			return f.settle(cmd, o, func(s render.Screen, a tree.Amended) {
				if a.Unchanged {
					s.Printf("Memory %s is already closed.\n", a.ID)
					return
				}
				s.Printf("Resolved memory %s\n", a.ID)
			})
		},
	}
	cmd.Flags().StringVar(&resolution, "resolution", "", "`text` on how it ended; goes to the end of the section Resolution")
	allowSecret(cmd, &allowed)
	return cmd
}

// deferUntil puts a memory off.
func (f face) deferUntil() *cobra.Command {
	var until string
	cmd := &cobra.Command{
		Use:   "defer <id> --until <date>",
		Short: "Hide a memory from lists until a day",
		Example: `  cp memory defer pf-7k2m9qx4 --until 2026-12-01
  cp memory defer pf-7k2m9qx4 --until 7d`,
		Args:              takes(1, 1, "an id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if until == "" {
				return invalid(cmd, "--until is required")
			}
			day, err := past.ParseUntil(until, f.Now())
			if err != nil {
				return err
			}
			deferred := vault.StatusDeferred
			o := tree.Amend{Ref: args[0], Status: &deferred, Deferred: &day, Verb: "defer"}
			return f.settle(cmd, o, func(s render.Screen, a tree.Amended) {
				s.Printf("Deferred memory %s until %s\n", a.ID, day.UTC().Format(time.DateOnly))
			})
		},
	}
	cmd.Flags().StringVar(&until, "until", "", "a `day` (2026-12-01) or a time from now (7d, 24h)")
	return cmd
}

// settle amends a memory and answers.
func (f face) settle(cmd *cobra.Command, o tree.Amend, text func(render.Screen, tree.Amended)) error {
	return f.write(cmd.Context(), func(s *app.Session) error {
		a, err := o.Do(cmd.Context(), s.Vault)
		if err != nil {
			return err
		}
		return f.said(a.Warnings, settled{true, a}, func(s render.Screen) { text(s, a) })
	})
}

// supersede says that a memory has taken another one's place.
func (f face) supersede() *cobra.Command {
	return &cobra.Command{
		Use:   "supersede <old-id> <new-id>",
		Short: "Say that a memory has taken another one's place",
		Long: `The old memory stays where it is and readable. It is found below the new one,
and marked. Both files say so, in one commit.`,
		Example:           `  cp memory supersede pf-7k2m9qx4 pf-3hd8w2na`,
		Args:              takes(2, 2, "the old memory's id and the new one's"),
		ValidArgsFunction: f.completeBoth,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.write(cmd.Context(), func(s *app.Session) error {
				o, err := tree.Supersede{Old: args[0], New: args[1]}.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.said(o.Warnings, o, func(s render.Screen) { render.Superseded(s, o) })
			})
		},
	}
}
