package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// The health of a vault, as status tells it.
const (
	healthy      = "HEALTHY"       // the index agrees with the files, the files with each other
	needsReindex = "NEEDS_REINDEX" // the index cannot be used, or part of the vault cannot be read
	inconsistent = "INCONSISTENT"  // files that a person or sync should look at
)

// shards counts the files of any type by status.
type shards struct {
	Total  int `json:"total"`
	Open   int `json:"open"`
	Closed int `json:"closed"`
	Other  int `json:"other"`
}

// overview is the vault at a glance.
type overview struct {
	Project     string       `json:"project"`
	Agent       string       `json:"agent"`
	Status      string       `json:"status"`
	Shards      shards       `json:"shards"`
	Memories    int          `json:"memories"`
	Roots       int          `json:"roots"`
	MaxDepth    int          `json:"max_depth"`
	Tokens      int          `json:"tokens"` // estimated, of all texts
	Vault       string       `json:"vault"`
	Index       string       `json:"index"`
	Branch      string       `json:"branch"` // short; empty on a detached HEAD and without git
	Commit      string       `json:"commit"`
	Busy        string       `json:"busy,omitempty"` // what keeps writes waiting
	Waiting     int          `json:"waiting"`        // writes in the outbox, and those that are not finished
	Unfinished  int          `json:"unfinished"`     // writes that were interrupted, and wait for the repository
	Uncommitted int          `json:"uncommitted"`
	Problems    int          `json:"problems"`
	CatchUp     vault.Report `json:"catch_up"`

	Vectors *render.VectorState `json:"vectors,omitempty"` // where an embedding model is configured

	Watcher *tree.Watcher `json:"watcher"` // null when nobody watches the vault
}

func (f face) status() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "The vault at a glance",
		Long: `The vault at a glance. The status is one of

  HEALTHY         the index agrees with the files, and the files with each other
  INCONSISTENT    some files need a look, or a write was interrupted and waits
                  to be finished: cp doctor tells which
  NEEDS_REINDEX   the index cannot be used, or part of the vault cannot be read`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.read(cmd.Context(), func(s *app.Session) error {
				o, err := f.glance(cmd.Context(), s)
				if err != nil {
					return err
				}
				o.Vectors = f.vectors(cmd.Context(), s)
				return f.answer(o, func(s render.Screen) { statusText(s, o) })
			})
		},
	}
}

func (f face) glance(ctx context.Context, s *app.Session) (overview, error) {
	st, err := tree.ReadStatus(ctx, s.Vault)
	if err != nil {
		return overview{}, err
	}
	c := st.Counts
	o := overview{
		Project: s.Settings.Project, Agent: s.Agent, Status: health(s, st),
		Shards:   shards{c.Total, c.Open, c.Closed, c.Total - c.Open - c.Closed},
		Memories: c.Memories, Roots: c.Roots, MaxDepth: c.MaxDepth, Tokens: c.Tokens,
		Vault: s.Root, Index: filepath.Join(s.Root, ".cp", "index.db"),
		Branch: strings.TrimPrefix(st.Head.Branch, "refs/heads/"), Commit: st.Head.Commit, Busy: st.Head.Busy,
		Waiting: st.Waiting, Unfinished: len(st.Left), Uncommitted: c.Uncommitted, Problems: st.Counts.Problems, CatchUp: st.Report,
	}
	if who, ok := f.Watcher(s); ok {
		o.Watcher = &who
	}
	return o, nil
}

// vectors tells how far they are; nil where no model is configured.
func (f face) vectors(ctx context.Context, s *app.Session) *render.VectorState {
	if !s.Settings.Embedding.Given() {
		return nil
	}
	state, err := f.Embedder(s).State(ctx, nil)
	v := render.VectorState{Model: state.Space.Model, Have: state.Have, Missing: len(state.Lacking)}
	if err != nil {
		v.Problem = err.Error()
	}
	return &v
}

func health(s *app.Session, st tree.Status) string {
	if private, _ := s.Index.Private(); private {
		return needsReindex
	}
	switch {
	case !st.Report.Complete:
		return needsReindex
	case st.Counts.Problems > 0, len(st.Left) > 0:
		return inconsistent
	}
	return healthy
}

func statusText(s render.Screen, o overview) {
	s.Println("cp memory")
	row := func(name, format string, args ...any) {
		s.Printf("  %-13s"+format+"\n", append([]any{name + ":"}, args...)...)
	}
	row("Project", "%s", o.Project)
	row("Agent", "%s", firstOf(o.Agent, "not set"))
	row("Status", "%s", o.Status)
	row("Shards", "%d (%d open, %d closed, %d other)", o.Shards.Total, o.Shards.Open, o.Shards.Closed, o.Shards.Other)
	row("Memories", "%d, of them %d at the root; deepest level %d; about %d tokens", o.Memories, o.Roots, o.MaxDepth, o.Tokens)
	row("Vault", "%s", o.Vault)
	row("Index", "%s", o.Index)
	if o.Vectors != nil {
		row("Vectors", "%s", o.Vectors.Words())
	}
	row("Git", "%s", gitLine(o))
	row("Watcher", "%s", watcherLine(o.Watcher))
	if o.Uncommitted > 0 {
		row("Uncommitted", "%d (git status shows them)", o.Uncommitted)
	}
	if n := o.Waiting - o.Unfinished; n > 0 {
		row("Outbox", "%d waiting; the next command after this is over commits them", n)
	}
	if o.Unfinished > 0 {
		row("Unfinished", "%d interrupted; the next command after this is over finishes them", o.Unfinished)
	}
	if o.Problems > 0 {
		row("Problems", "%d (cp doctor shows them)", o.Problems)
	}
}

func gitLine(o overview) string {
	line := firstOf(o.Branch, "no branch")
	switch {
	case o.Commit != "":
		line += " at " + o.Commit[:min(len(o.Commit), 7)]
	case o.Branch != "":
		line += ", no commit yet"
	}
	switch {
	case strings.Contains(o.Busy, " "): // detached HEAD, unmerged index
		line += "; " + o.Busy + ": writes wait"
	case o.Busy != "":
		line += "; " + o.Busy + " under way: writes wait"
	}
	return line
}

// watcherLine tells who watches the vault.
func watcherLine(who *tree.Watcher) string {
	if who == nil {
		return "none"
	}
	line := fmt.Sprintf("process %d", who.PID)
	if who.Commit {
		line += ", commits finished edits"
	}
	if who.Polling != "" {
		line += ", scans now and then (" + who.Polling + ")"
	}
	return line
}

// versions is what the program is made of.
type versions struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	SQLite   string `json:"sqlite"`
	Git      string `json:"git"` // empty when there is none
	Platform string `json:"platform"`
}

func (f face) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versions{Version: f.Version}
			if format, _ := render.ParseFormat(f.Flags.Output); format != render.Text {
				v = f.versions(cmd.Context()) // what only programs are told takes a process
			}
			return f.answer(v, func(s render.Screen) { s.Printf("cp version %s\n", v.Version) })
		},
	}
}

func (f face) versions(ctx context.Context) versions {
	return versions{
		Version:  f.Version,
		Go:       runtime.Version(),
		SQLite:   f.SQLite,
		Git:      f.gitVersion(ctx),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// gitVersion returns git's version, like 2.39.5; empty when git does not run.
func (f face) gitVersion(ctx context.Context) string {
	said, err := f.Git(ctx, f.Dir, "version")
	if err != nil {
		f.Debugf("git version: %v", err)
		return ""
	}
	words := strings.Fields(strings.TrimPrefix(said, "git version "))
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
