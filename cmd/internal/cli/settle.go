package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

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
	return f.write(cmd.Context(), func(s *session.Session) error {
		a, err := o.Do(cmd.Context(), s.Vault)
		if err != nil {
			return err
		}
		return f.said(a.Warnings, settled{true, a}, func(s render.Screen) { text(s, a) })
	})
}
