package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/tree"
)

// watch keeps the index current while files change.
func (f face) watch() *cobra.Command {
	var o tree.Watch
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Keep the index current while files change, and commit finished edits",
		Long: `Keep the index current while files change, until interrupted. Commands then
answer without looking at every file first. Nothing depends on it: without a
watcher, or when it does not answer within 50 ms, they look for themselves.

A line tells of each pass that found something; with -o json or jsonl it is one
object a line. One watcher runs for a vault: a second one says which it is and
exits with 1. Where the system cannot tell of changes (a network file system, or
too many folders for fs.inotify.max_user_watches) it says so and scans instead.

With --commit, edits made in an editor are committed once a file has been left
alone for as long as --quiet says: one commit a file, new files with an id; what
was moved or deleted follows as by "cp memory sync". It leaves alone what is
staged, open in an editor that keeps a swap file, empty, cut to less than half,
or has conflict markers or a broken header, and says so once. While git is at
work (a merge, a rebase, a lock) it waits.`,
		Example: `  cp memory watch
  cp memory watch --commit --quiet 30s
  cp memory watch -o jsonl >> watch.log &`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Quiet <= 0 {
				return invalid(cmd, "--quiet is a time above 0, like 5s")
			}
			return f.read(cmd.Context(), func(s *app.Session) error {
				return f.Watch(cmd.Context(), s, o, f.passed, func(text string) { f.warn(text) })
			})
		},
	}
	cmd.Flags().BoolVar(&o.Commit, "commit", false, "commit edits that are finished")
	cmd.Flags().DurationVar(&o.Quiet, "quiet", 5*time.Second, "how `long` a file is left alone before it counts as finished")
	return cmd
}

// passed tells of one pass. A stream cannot be one JSON document, so json is
// jsonl here.
func (f face) passed(p tree.Pass) error {
	if f.Flags.Output != string(render.JSON) {
		return f.answer(p, func(s render.Screen) { render.Pass(s, p) })
	}
	lines := *f.App
	lines.Flags.Output = string(render.JSONL)
	return face{&lines, f.Streams}.answer(p, nil)
}
