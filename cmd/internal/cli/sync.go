package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
)

// sync makes files, pointer blocks and index agree.
func (f face) sync() *cobra.Command {
	var o vault.Sync
	var e exchangeFlags
	var remote bool
	cmd := &cobra.Command{
		Use:   "sync [parent-id]",
		Short: "Take up what was changed by hand, and mend pointer blocks",
		Long: `Files that were made, moved or deleted with other tools are taken up, pointer
blocks are mended, and what waited in the outbox is committed. Prose is never
changed, and no file of a person's is deleted.

In the middle of a merge with conflicts, it settles those in front matter and
pointer blocks, tells those in prose with file and line, and commits nothing.
A file that is in no commit yet is adopted: it gets an id, and all of its text is
committed. Each is named. With --no-adopt, or "adopt: never" in .cp/vault.yaml or
~/.cp/config.yaml, such files are left alone.

After a merge it puts right what git could not know, by the commits alone, so
that every clone comes to the same tree; what a person resolved by hand stands:
see cp help merging.

With --remote it then does what "cp memory push" does: takes over what others
have pushed, and gives them what is here.`,
		Example: `  cp memory sync --dry-run
  cp memory sync
  cp memory sync --remote
  cp memory sync pf-7k2m9qx4`,
		Args:              takes(0, 1, "one parent's id at the most"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Parent = first(args)
			if e.dryRun, e.allowSecret, e.noAdopt = o.DryRun, o.AllowSecret, o.NoAdopt; remote {
				if o.Parent != "" || o.Force {
					return invalid(cmd, "--remote takes neither a parent nor --force")
				}
				return f.give(cmd.Context(), e, true)
			}
			open := f.open // it does itself what read does before, and tells of it
			if o.DryRun {
				open = f.read
			}
			return open(cmd.Context(), func(s *session.Session) error {
				r, err := s.Sync(cmd.Context(), o)
				if err != nil {
					return err
				}
				render.Delivered(f.errs(), r.Delivered)
				render.Conflicts(f.errs(), r.Conflicts)
				render.Problems(f.errs(), r.Problems)
				err = f.said(r.Warnings, r, func(s render.Screen) { render.Sync(s, r, o.DryRun) })
				if err == nil && !o.DryRun {
					f.tidy(cmd.Context(), s)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	cmd.Flags().BoolVar(&remote, "remote", false, "then exchange commits with the branch upstream")
	e.bindRest(cmd)
	e.bindGiving(cmd)
	cmd.Flags().BoolVar(&o.Force, "force", false, "also when a large part of the vault would go at once")
	cmd.Flags().BoolVar(&o.NoAdopt, "no-adopt", false, "leave alone files that are in no commit")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}
