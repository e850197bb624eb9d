package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/tree"
)

// init makes a memory vault.
func (f face) init() *cobra.Command {
	var o app.Init
	cmd := &cobra.Command{
		Use:   "init [folder]",
		Short: "Make a memory vault",
		Long: `Make a memory vault and commit its marker, .cp/vault.yaml.

The vault is the folder that you name, else the folder you are in. In a repository
that holds more than notes it is the folder memory/ at the top, and a .cp.yaml
there lets every command find it. It holds more if a build manifest is in it
(go.mod, package.json, …), or if of twenty files more than one is something else:
what git ignores, attachments and files that begin with a dot aside. A folder that
is in no git repository becomes one.

With --branch the vault is a worktree of a branch of its own beside the code, so that
its commits are in no pull request: see "cp help branches". A clone whose remote has
such a branch called memory gets it by "cp init" alone.

The project is named after the git remote, else after the folder; the prefix of
new ids comes from the project's name. With --force an existing vault gets the
given values and the files it lacks; nothing else changes.

It tells how many Markdown files there are already. In the vault they are memories
as they stand: "cp memory sync" gives each an id and commits it, and on a terminal
init offers to run it. Elsewhere in the repository "cp memory import FOLDER" copies
them into the vault.`,
		Example: `  cp init
  cp init ~/notes --project notes
  cp init docs/memory --prefix doc --agent agent-mycroft
  cp init --branch memory`,
		Args:              console.Takes(0, 1, "one folder"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dir = firstArgument(args)
			if o.Branch == "" && cmd.Flags().Changed("branch") {
				return console.Invalid(cmd, "--branch is the name of a branch, like memory")
			}
			o.Flags = *f.Flags
			done, err := f.Init(cmd.Context(), o)
			if err != nil {
				return err
			}
			f.Warn(f.ProjectFinder().NoteNewVault(cmd.Context(), done.Vault)...)
			if err := console.AnswerWith(f.Console, done, render.WriteInitialized); err != nil || done.Commit == "" || done.Markdown == 0 || !f.IsAttended() || !f.AsText() {
				return err
			}
			f.Errs().Printf("Run it now? (y/n) ")
			if answer := f.Choice(cmd.Context()); answer != "y" && answer != "yes" {
				return nil
			}
			return face{f.ForVault(done.Vault)}.reconcile(cmd.Context(), sync.Options{})
		},
	}
	console.Bind(cmd, &o)
	return cmd
}

// status tells how the vault is.
func (f face) status() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "The vault at a glance",
		Long: `The vault at a glance. The status is one of

  HEALTHY         the index agrees with the files, and the files with each other
  INCONSISTENT    some files need a look, or a write was interrupted and waits
                  to be finished: cp doctor tells which
  NEEDS_REINDEX   the index cannot be used, or part of the vault cannot be read`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.Read(cmd.Context(), func(s *app.Session) error { return f.glance(cmd.Context(), s) })
		},
	}
}

// watch keeps the index current while files change.
func (f face) watch() *cobra.Command {
	var o tree.Watch
	var draws bool
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Keep the index current while files change, and commit finished edits",
		Long: `Keep the index current while files change, until interrupted. Commands then
answer without looking at every file first. Nothing depends on it: without a
watcher, or when it does not answer within 50 ms, they look for themselves.

It prints a line for each pass that found something; with -o json or jsonl, one
object a line. A vault has one watcher: a second one names the first and exits
with 1. If the system cannot report changes (a network file system, or too many
folders for fs.inotify.max_user_watches) it says so and scans instead.

With --commit it commits edits once a file has been left alone for the time of
--quiet: one commit a file, new files with an id. Moved and deleted files follow
as by "cp memory sync". It leaves a file alone, and says so once, if it is staged,
open in an editor that keeps a swap file, empty, cut to less than half, or has
conflict markers or a broken header. While git is at work (a merge, a rebase, a
lock) it waits.

With --extract a language model draws the facts that are missing or stale, as by "cp
memory extract --missing --stale": at the start, and whenever files have changed and then
been left alone for the time of --quiet. It keeps to facts.daily_tokens (cp help graph).`,
		Example: `  cp memory watch
  cp memory watch --commit --quiet 30s
  cp memory watch --extract
  cp memory watch -o jsonl >> watch.log &`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Quiet <= 0 {
				return console.Invalid(cmd, "--quiet is a time above 0, like 5s")
			}
			return f.Read(cmd.Context(), func(s *app.Session) error {
				f.Clear()
				if err := s.MayWatch(cmd.Context()); err != nil && (o.Commit || draws) {
					return err
				}
				if draws {
					return f.knowledge(s).Watch(cmd.Context(), o, f.answerPass, func(text string) { f.Warn(text) })
				}
				return f.Watch(cmd.Context(), s, o, f.answerPass, func(text string) { f.Warn(text) })
			})
		},
	}
	cmd.Flags().BoolVar(&o.Commit, "commit", false, "commit edits that are finished")
	cmd.Flags().BoolVar(&draws, "extract", false, "draw the facts of what has changed by a language model")
	cmd.Flags().DurationVar(&o.Quiet, "quiet", 5*time.Second, "how `long` a file is left alone before it counts as finished")
	return cmd
}

// answerPass tells of one pass. A stream cannot be one JSON document, so json is
// jsonl here.
func (f face) answerPass(p tree.Pass) error {
	if f.Form.Output != string(render.JSON) {
		return f.Answer(p, func(s render.Screen) { render.Pass(s, p) })
	}
	return f.As(render.JSONL).Answer(p, nil)
}
