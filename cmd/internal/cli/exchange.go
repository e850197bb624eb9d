package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/exchange"
)

// exchangeFlags are those of every command that talks to a remote.
type exchangeFlags struct {
	dryRun, allowShrink, allowSecret, withCode, noAdopt bool
	timeout                                             time.Duration
}

// networkLimit is how long a fetch or a push may take unless told otherwise.
const networkLimit = 2 * time.Minute

func (e *exchangeFlags) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "fetch, tell what would come and go, change nothing in the vault")
	e.bindRest(cmd)
}

func (e *exchangeFlags) bindRest(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.allowShrink, "allow-shrink", false, "also when what comes takes away a large part of the vault")
	cmd.Flags().DurationVar(&e.timeout, "timeout", networkLimit, "`time` that each talk with the remote may take")
}

// bindGiving binds the flags of those that push.
func (e *exchangeFlags) bindGiving(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.withCode, "with-code", false, "push also commits that touch what is no memory of this vault")
}

// exchange opens the vault with its remote side for fn.
func (f face) exchange(ctx context.Context, e exchangeFlags, fn func(*exchange.Exchange) error) error {
	return f.read(ctx, func(s *app.Session) error {
		line, err := driverLine()
		if err != nil {
			return err
		}
		x, err := f.Exchange(s, line, e.timeout)
		if err != nil {
			return err
		}
		x.Vault.NoAdopt = x.Vault.NoAdopt || e.noAdopt
		if f.Streams.ErrTTY {
			x.Say = func(line string) { fmt.Fprintf(f.Streams.Err, "\r\x1b[K%s", render.Line(line)) }
			fn = f.wiping(fn)
		}
		return fn(x)
	})
}

// wiping wipes the line of progress before the answer is given.
func (f face) wiping(fn func(*exchange.Exchange) error) func(*exchange.Exchange) error {
	return func(x *exchange.Exchange) error {
		defer fmt.Fprint(f.Streams.Err, "\r\x1b[K")
		return fn(x)
	}
}

// pull takes over what the branch upstream has.
func (f face) pull() *cobra.Command {
	var e exchangeFlags
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Take over what others have pushed, and keep what you have not committed",
		Long: `Fetch the branch upstream with git, merge it beside the files, and bring the
result into the vault as any other write. What you have typed and not committed
stays uncommitted and what you have staged stays staged; where that and what came
exclude each other, nothing happens at all. Where both sides changed one passage
of a memory, both versions are kept in it between <!-- cp-conflict --> marks.

Nothing is forced and nothing asks for a password. See: cp help merging`,
		Example: `  cp memory pull --dry-run
  cp memory pull`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.exchange(cmd.Context(), e, func(x *exchange.Exchange) error {
				p, err := x.Pull(cmd.Context(), exchange.Pull{DryRun: e.dryRun, AllowShrink: e.allowShrink})
				if err != nil {
					return err
				}
				f.pulled(p)
				return f.said(p.Warnings, p, func(s render.Screen) { render.Pulled(s, p, e.dryRun) })
			})
		},
	}
	e.bind(cmd)
	return cmd
}

// pulled warns of what a person has to look at.
func (f face) pulled(p exchange.Pulled) {
	render.Conflicts(f.errs(), p.Conflicts)
	if p.Synced != nil {
		render.Delivered(f.errs(), p.Synced.Delivered)
		render.Problems(f.errs(), p.Synced.Problems)
	}
}

// push brings the branch upstream what it has.
func (f face) push() *cobra.Command {
	var e exchangeFlags
	cmd := &cobra.Command{
		Use:   "push",
		Short: "Give others what you have committed, after taking over what they have",
		Long: `Do what "cp memory pull" does, then push with git. Where another push was
faster, do both again. Nothing is ever forced.

Memory goes, your work does not: where one of the commits touches anything but
memories, .cp/, .cp.yaml and the vault's .gitattributes, such commits are listed
and nothing is done, unless --with-code says that they are to go, too.

What looks like a password or token in a commit that was made with other tools is
refused before it leaves, with its file and line.`,
		Example: `  cp memory push --dry-run
  cp memory push`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.give(cmd.Context(), e, false) },
	}
	e.bind(cmd)
	e.bindGiving(cmd)
	cmd.Flags().BoolVar(&e.allowSecret, "allow-secret", false, "push it also when it looks like a password or token")
	return cmd
}

// give pushes, with a sync before it or without.
func (f face) give(ctx context.Context, e exchangeFlags, sync bool) error {
	return f.exchange(ctx, e, func(x *exchange.Exchange) error {
		p, err := x.Push(ctx, exchange.Push{DryRun: e.dryRun, AllowShrink: e.allowShrink, AllowSecret: e.allowSecret, WithCode: e.withCode, Sync: sync})
		if err != nil {
			return err
		}
		if p.Synced != nil {
			render.Delivered(f.errs(), p.Synced.Delivered)
			render.Conflicts(f.errs(), p.Synced.Conflicts)
			render.Problems(f.errs(), p.Synced.Problems)
			f.warn(p.Synced.Warnings...)
		}
		for _, came := range p.Pulled {
			f.pulled(came)
		}
		return f.said(p.Warnings, p, func(s render.Screen) { render.Pushed(s, p, e.dryRun) })
	})
}

// sync makes files, pointer blocks and index agree.
func (f face) sync() *cobra.Command {
	var o sync.Options
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
			return open(cmd.Context(), func(s *app.Session) error {
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
