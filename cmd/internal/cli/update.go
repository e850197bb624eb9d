package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/batch"
	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/tree"
)

// update changes one memory.
func (f face) update() *cobra.Command {
	var o tree.Amend
	var body console.BodyFlags
	var record recordFlags
	var force bool
	cmd := &cobra.Command{
		Use:   "update <id>",
		Short: "Change a memory's title, text, labels, summary or status",
		Long: `A section is named by its heading, with or without its hashes and its markup, in letters
of either case; "Setup::Linux" is Linux below Setup. What names no section, or several,
writes nothing. An empty text takes no text out, unless --force says so.`,
		Example: `  cp memory update pf-7k2m9qx4 --append "Since v2 the worker restarts by itself."
  cp memory update pf-7k2m9qx4 --section Rollback --body-file rollback.md
  cp memory update pf-7k2m9qx4 --label nomad --remove-label draft --status closed
  hash=$(cp memory show pf-7k2m9qx4 -o json | jq -r .hash)
  cp memory update pf-7k2m9qx4 --body-file new.md --if-match "$hash"`,
		Args: console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := record.fillAmend(f, cmd, &o, args[0]); err != nil {
				return err
			}
			if given, err := body.IsSet(cmd); err != nil {
				return err
			} else if given {
				text, err := body.Read(f.Console, cmd)
				if err != nil {
					return err
				}
				o.Body = &text
			}
			if force {
				o.Clear = append(o.Clear, listEmptyTexts(&o)...)
			}
			if err := checkUpdate(cmd, o); err != nil {
				return err
			}
			return body.KeepPiped(f.Console, console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (tree.Amended, error) {
				a, err := bindings.Room{Session: s}.Update(ctx, o)
				body.Done = err == nil
				return a, err
			}, writeAmended("Updated")))
		},
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	body.Bind(cmd)
	record.bind(cmd)
	cmd.Flags().BoolVar(&force, "force", false, "let an empty --body or --summary empty what is there")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

func checkUpdate(cmd *cobra.Command, o tree.Amend) error {
	if !options.HasOneOf(o) {
		return console.Invalid(cmd, "nothing to change: give --title, --body, --append, --label, --summary, --status or --about")
	}
	return nil
}

// listEmptyTexts names the texts that are given, and empty.
func listEmptyTexts(o *tree.Amend) (all []string) {
	if o.Body != nil && strings.TrimSpace(*o.Body) == "" {
		all = append(all, tree.ClearBody)
	}
	if o.Summary != nil && strings.TrimSpace(*o.Summary) == "" {
		all = append(all, tree.ClearSummary)
	}
	return all
}

// writeAmended reports that a memory was changed. done is the word for it, as in "Updated".
func writeAmended(done string) func(render.Screen, tree.Amended) {
	return func(s render.Screen, a tree.Amended) { render.WriteAmended(s, done, a) }
}

// edit opens a memory in an editor.
func (f face) edit() *cobra.Command {
	var allowed bool
	cmd := &cobra.Command{
		Use:   "edit <id>",
		Short: "Open a memory in your editor and commit the result",
		Long: `Opens the file in your editor and commits what it saved. If the file is empty then, or
its front matter is gone, or its pointer block cannot be read any more, it asks whether
to edit again. Without a yes, or without a terminal, nothing is committed: the memory is
as it was, and what the editor saved is kept in a file that is named.`,
		Example: `  cp memory edit pf-7k2m9qx4
  EDITOR="code --wait" cp memory edit pf-7k2m9qx4`,
		Args: console.Takes(1, 1, "an id"),
		RunE: console.Runs(f.Console, f.Write, func(ctx context.Context, s *app.Session, args []string) (tree.Amended, error) {
			return s.Edit(ctx, app.Editing{Ref: args[0], AllowSecret: allowed,
				Open:  func(file string) error { return f.EditFile(ctx, s.Settings, file) },
				Again: func(why string) bool { return f.EditAgain(ctx, why) },
			})
		}, writeAmended("Edited")),
	}
	console.Refs(cmd, 1)
	allowSecret(cmd, &allowed)
	return cmd
}

// allowSecret binds the flag that lets what looks like a credential be committed.
func allowSecret(cmd *cobra.Command, allowed *bool) {
	cmd.Flags().BoolVar(allowed, "allow-secret", false, "commit it also when it looks like a password or token")
}

// settled is the outcome of defer as programs get it.
type settled struct {
	Success  bool      `json:"success"`
	Deferred time.Time `json:"deferred_until,omitzero"`
	tree.Amended
}

// deferUntil puts a memory off.
func (f face) deferUntil() *cobra.Command {
	var o batch.Defer
	cmd := &cobra.Command{
		Use:   "defer <id> --until <date>",
		Short: "Hide a memory from lists until a day",
		Example: `  cp memory defer pf-7k2m9qx4 --until 2026-12-01
  cp memory defer pf-7k2m9qx4 --until "in 2 weeks"`,
		Args: console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Ref = args[0]; o.Until == "" {
				return console.Invalid(cmd, "--until is required")
			}
			put, err := o.Amend(f.Now())
			if err != nil {
				return err
			}
			return console.AskAndAnswer(f.Console, cmd, f.Write, deferMemory(put), func(s render.Screen, a settled) {
				s.Printf("Deferred memory %s until %s\n", a.ID, a.Deferred.UTC().Format(time.DateOnly))
			})
		},
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	return cmd
}

func deferMemory(o tree.Amend) func(context.Context, *app.Session) (settled, error) {
	return func(ctx context.Context, s *app.Session) (settled, error) {
		a, err := o.Do(ctx, s.Vault)
		out := settled{Success: true, Amended: a}
		if o.Deferred != nil {
			out.Deferred = o.Deferred.UTC()
		}
		return out, err
	}
}

// supersede records that one memory replaces another.
func (f face) supersede() *cobra.Command {
	return console.Refs(&cobra.Command{
		Use:   "supersede <old-id> <new-id>",
		Short: "Say that a memory replaces another one",
		Long: `The old memory stays in its place and readable. It is found below the new one and
marked. Both files say so, in one commit.`,
		Example: `  cp memory supersede pf-7k2m9qx4 pf-3hd8w2na`,
		Args:    console.Takes(2, 2, "the old memory's id and the new one's"),
		RunE: console.Runs(f.Console, f.Write, func(ctx context.Context, s *app.Session, args []string) (tree.Superseded, error) {
			return tree.Supersede{Old: args[0], New: args[1]}.Do(ctx, s.Vault)
		}, render.WriteSuperseded),
	}, 2)
}
