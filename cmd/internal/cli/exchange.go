package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/exchange"
	"github.com/cp-memory/cp/vault/merge"
	"github.com/cp-memory/cp/vault/sync"
)

// exchangeFlags are the flags of every command that talks to a remote.
type exchangeFlags struct {
	exchange.Push
	noAdopt bool
	timeout time.Duration
}

// networkLimit bounds the time of a fetch or push unless a flag says otherwise.
const networkLimit = 2 * time.Minute

func (e *exchangeFlags) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.AllowShrink, "allow-shrink", false, "also if the incoming commits remove a large part of the vault")
	cmd.Flags().DurationVar(&e.timeout, "timeout", networkLimit, "`time` that each talk with the remote may take")
}

func (e *exchangeFlags) bindDryRun(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "fetch, tell what would come and go, change nothing in the vault")
}

func (e *exchangeFlags) bindWithCode(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.WithCode, "with-code", false, "also push commits that touch other files than this vault's memories")
}

// exchange opens the vault with its remote side for fn. A line on a terminal tells
// how far it is.
func (f face) exchange(ctx context.Context, e exchangeFlags, fn func(*exchange.Exchange) error) error {
	f.App = f.ByCommit()
	return f.Read(ctx, func(s *app.Session) error {
		x, err := s.Remote(e.timeout)
		if err != nil {
			return err
		}
		x.Vault.NoAdopt = x.Vault.NoAdopt || e.noAdopt
		if f.Clear(); f.ErrTTY {
			x.Say = func(line string) { fmt.Fprintf(f.Err, "\r\x1b[K%s", render.Line(line)) }
			defer fmt.Fprint(f.Err, "\r\x1b[K")
		}
		if err := fn(x); err != nil {
			return err
		}
		return f.leftOver(ctx, s)
	})
}

// leftOver warns of memories in files that agents load, which are not to be there any more.
func (f face) leftOver(ctx context.Context, s *app.Session) error {
	all, err := s.LeftOver(ctx)
	for _, l := range all {
		f.Warn(l.String())
	}
	return err
}

// strays clears the temporary files of writes that are over, and warns of those that hold a
// text of their own.
func (f face) strays(ctx context.Context, s *app.Session, o sync.Options) error {
	look := s.State.ClearStrays
	if o.DryRun {
		look = s.State.Strays
	}
	names, err := look(ctx)
	for _, name := range names {
		f.Warn(name + ": a temporary file of a write that is over; look at it, then remove it, or give it a name that ends in .md to keep it as a memory")
	}
	return err
}

// pull takes over what the branch upstream has.
func (f face) pull() *cobra.Command {
	var e exchangeFlags
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Take over the commits of others, and keep your uncommitted text",
		Long: `Fetch the branch upstream with git, merge it beside the files, and bring the
result into the vault as any other write. Uncommitted text stays uncommitted and
staged text stays staged; if it and the incoming text exclude each other, nothing
happens at all. If both sides changed one passage of a memory, both versions are
kept in it between <!-- cp-conflict --> marks.

Nothing is forced and nothing asks for a password. See: cp help merging`,
		Example: `  cp memory pull --dry-run
  cp memory pull`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.exchange(cmd.Context(), e, func(x *exchange.Exchange) error {
				p, err := x.Pull(cmd.Context(), exchange.Pull{DryRun: e.DryRun, AllowShrink: e.AllowShrink})
				if err != nil {
					return err
				}
				f.warnOfPull(p)
				return console.AnswerWith(f.Console, p, func(s render.Screen, p exchange.Pulled) { render.WritePulled(s, p, e.DryRun) })
			})
		},
	}
	e.bindDryRun(cmd)
	e.bind(cmd)
	return cmd
}

// warnOfPull warns of changes that a person has to look at.
func (f face) warnOfPull(p exchange.Pulled) {
	render.Conflicts(f.Errs(), p.Conflicts)
	if p.Synced != nil {
		render.WriteDelivered(f.Errs(), p.Synced.Delivered)
		render.Problems(f.Errs(), p.Synced.Problems)
	}
}

// push brings the branch upstream what it has.
func (f face) push() *cobra.Command {
	var e exchangeFlags
	cmd := &cobra.Command{
		Use:   "push",
		Short: "Take over the commits of others, then push your own",
		Long: `Do what "cp memory pull" does, then push with git. If another push was faster, do
both again. Nothing is ever forced.

Memories are pushed with the files in their folders and with pictures, sounds, films and
PDFs in the vault; your other work is not. If a commit touches other files than these,
.cp/, .cp.yaml and the vault's .gitattributes, such commits are listed and nothing is
pushed. In a folder of the repository that holds nothing but the vault, every file is the
vault's. --with-code pushes the others, too.

A likely password or token in a commit that was made with other tools is refused
before it leaves, with its file and line.`,
		Example: `  cp memory push --dry-run
  cp memory push`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.pushChanges(cmd.Context(), e) },
	}
	e.bindDryRun(cmd)
	e.bind(cmd)
	e.bindWithCode(cmd)
	cmd.Flags().BoolVar(&e.AllowSecret, "allow-secret", false, "push it also when it looks like a password or token")
	return cmd
}

// pushChanges pushes, with a sync before it or without.
func (f face) pushChanges(ctx context.Context, e exchangeFlags) error {
	return f.exchange(ctx, e, func(x *exchange.Exchange) error {
		p, err := x.Push(ctx, e.Push)
		if err != nil {
			return err
		}
		if p.Synced != nil {
			f.warnOfSync(*p.Synced)
			f.Warn(p.Synced.Warnings...)
		}
		for _, came := range p.Pulled {
			f.warnOfPull(came)
		}
		if err := console.AnswerWith(f.Console, p, func(s render.Screen, p exchange.Pushed) { render.WritePushed(s, p, e.DryRun) }); err != nil || e.DryRun {
			return err
		}
		return errUnmended(len(p.Left()), leftOver)
	})
}

// warnOfSync warns of changes that a person has to look at.
func (f face) warnOfSync(r sync.Synced) {
	render.WriteDelivered(f.Errs(), r.Delivered)
	render.Conflicts(f.Errs(), r.Conflicts)
	render.Problems(f.Errs(), r.ListLeftByDesign())
}

// errUnmended ends a command that leaves something that somebody should mend; it is listed.
func errUnmended(n int, how string) error {
	if n == 0 {
		return nil
	}
	return vault.Errorf(vault.CodeDamaged, how+" (`cp help findings` says what counts)", "%s left to be mended", vault.Plural(n, "finding is", "findings are"))
}

const leftOver = "mend by hand what is listed, then run `cp memory sync` again"

// reconcile runs sync, which itself does what read does before, and tells of it.
func (f face) reconcile(ctx context.Context, o sync.Options) error {
	f.App = f.ByCommit()
	return f.ReadIfDry(o.DryRun, f.With)(ctx, func(s *app.Session) error {
		if !o.DryRun { // a sync delivers what waits by itself
			notes, _ := s.Store.Recover(ctx) // what cannot be finished now it says itself
			f.Warn(notes...)
		}
		if !o.DryRun && !o.KeepFolders && o.Parent == "" && f.IsAttended() {
			if err := f.askFolders(ctx, s, &o); err != nil {
				return err
			}
		}
		r, err := s.Sync(ctx, o)
		if err != nil {
			return err
		}
		f.warnOfSync(r)
		if err := f.leftOver(ctx, s); err != nil {
			return err
		}
		if err := f.strays(ctx, s, o); err != nil {
			return err
		}
		err = console.AnswerWith(f.Console, r, func(s render.Screen, r sync.Synced) {
			render.Sync(s, r, o.DryRun)
			render.Left(s, r.Left)
		})
		if err != nil || o.DryRun {
			return err
		}
		s.Tidy(ctx)
		return errUnmended(len(r.Left), leftOver)
	})
}

// askFolders asks whether folders are to follow the files that were moved without them.
func (f face) askFolders(ctx context.Context, s *app.Session, o *sync.Options) error {
	all, err := s.LeftFolders(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	for _, one := range all {
		f.Errs().Printf("%s was moved without its folder: %s/ would go to %s/\n", render.Line(string(one.File)), render.Line(string(one.From)), render.Line(string(one.To)))
	}
	f.Errs().Printf("Take along? Otherwise what is in there becomes a root. (y/n) ")
	switch f.Choice(ctx) {
	case "y", "yes":
	case "n", "no":
		o.KeepFolders = true
	default:
		return vault.Errorf(vault.CodeConfirm, "say y, or n or --keep-folders", "cancelled; nothing was changed")
	}
	return nil
}

// sync makes files, pointer blocks and index agree.
func (f face) sync() *cobra.Command {
	var o sync.Options
	var e exchangeFlags
	var remote bool
	cmd := &cobra.Command{
		Use:   "sync [parent-id]",
		Short: "Take up changes made by hand, and repair pointer blocks",
		Long: `Files that were made, moved or deleted with other tools are taken up, pointer
blocks are repaired, and writes that waited in the outbox are committed. Prose is
never changed, and no file of a person's is deleted.

If x.md alone was moved to y.md, its folder x/ goes to y/, so that its memories stay
where they belong; on a terminal it asks. With --keep-folders they become roots.
Links in moved files, and in others to them, are mended in the same commit, and so are
paths under references:. With --keep-links they are named and left as they are. Links in HTML (<a href="x.md">) are left, and so are those to pictures that were
moved alone.

In the middle of a merge it settles conflicts in front matter and pointer blocks,
reports those in prose with file and line, and commits nothing.

A file that is in no commit yet is adopted: it gets an id, and all of its text is
committed. Each is named. With --no-adopt, or "adopt: never" in .cp/vault.yaml or
~/.cp/config.yaml, such files are left alone.

New pointer blocks are visible, or hidden in an HTML comment if .cp/vault.yaml says
"pointers: {style: hidden}". With --restyle the blocks that are there follow, in
one commit: see cp help format.

After a merge it puts right what git could not know. It decides by the commits
alone, so that every clone comes to the same tree; a person's own resolution
stands: see cp help merging.

With --remote it then does what "cp memory push" does: it takes over the commits
of others and pushes its own.

` + countsHelp,
		Example: `  cp memory sync --dry-run
  cp memory sync
  cp memory sync --remote
  cp memory sync pf-7k2m9qx4`,
		Args: console.Takes(0, 1, "one parent's id at the most"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Parent = firstArgument(args)
			if remote && (o.Parent != "" || o.Force || o.Restyle) {
				return console.Invalid(cmd, "--remote takes no parent, no --force and no --restyle")
			}
			if remote {
				e.DryRun, e.AllowSecret, e.noAdopt, e.Sync = o.DryRun, o.AllowSecret, o.NoAdopt, true
				return f.pushChanges(cmd.Context(), e)
			}
			return f.reconcile(cmd.Context(), o)
		},
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	cmd.Flags().BoolVar(&remote, "remote", false, "then exchange commits with the branch upstream")
	e.bind(cmd)
	e.bindWithCode(cmd)
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// errConflict ends a merge that leaves a person something to decide: git takes
// the exit code 1 for that.
var errConflict = errors.New("conflict")

// mergeDriver merges one file for git.
func (f face) mergeDriver() *cobra.Command {
	return &cobra.Command{
		Use:    "merge-driver %O %A %B %P",
		Short:  "Merge one memory for git",
		Hidden: true,
		Long: `Merge the versions %A and %B of the file %P, which come from %O, into %A: a
memory by its front matter, its pointer block and its prose; any other file as
git merge-file does. The exit code is 1 when conflicts are left.

git calls it for files for which .gitattributes says merge=cp-memory. See: cp help merging`,
		Args: console.Takes(4, 4, "the four names that git gives: %O %A %B %P"),
		RunE: func(_ *cobra.Command, args []string) error { return f.mergeFiles(args[0], args[1], args[2], args[3]) },
	}
}

func (f face) mergeFiles(base, ours, theirs, name string) error {
	r, err := f.MergeFiles(base, ours, theirs, name)
	if err != nil {
		return err
	}
	f.tellMerge(name, r)
	if !r.Clean() {
		return errConflict
	}
	return nil
}

// tellMerge says what was decided, and what is left to be.
func (f face) tellMerge(name string, r merge.Result) {
	for _, d := range r.Dropped {
		f.Warn(name + ": " + d.String())
	}
	for _, n := range r.Notes {
		f.Warn(name + ": " + n)
	}
	if r.Plain != "" && !r.Clean() {
		f.Warn(name + ": merged as a plain text: " + r.Plain)
	}
	for _, line := range r.Conflicts {
		f.Warn(fmt.Sprintf("%s:%d: both sides changed the text", name, line))
	}
}
