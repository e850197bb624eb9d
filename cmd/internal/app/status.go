package app

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// The health of a vault, as status tells it.
const (
	Healthy      = "HEALTHY"       // the index agrees with the files, the files with each other
	NeedsReindex = "NEEDS_REINDEX" // the index cannot be used, or part of the vault cannot be read
	Inconsistent = "INCONSISTENT"  // files that a person or sync should look at
)

// Shards counts the files of any type by status.
type Shards struct {
	Total  int `json:"total"`
	Open   int `json:"open"`
	Closed int `json:"closed"`
	Other  int `json:"other"`
}

// Overview is the vault at a glance.
type Overview struct {
	Project     string `json:"project"`
	Agent       string `json:"agent"`
	Status      string `json:"status"`
	Shards      Shards `json:"shards"`
	Memories    int    `json:"memories"`
	Roots       int    `json:"roots"`
	MaxDepth    int    `json:"max_depth"`
	Tokens      int    `json:"tokens"` // estimated, of all texts
	Vault       string `json:"vault"`
	Index       string `json:"index"`
	Branch      string `json:"branch"` // short; empty on a detached HEAD and without git
	Commit      string `json:"commit"`
	Busy        string `json:"busy,omitempty"` // what keeps writes waiting
	Waiting     int    `json:"waiting"`        // writes in the outbox, and those that are not finished
	Unfinished  int    `json:"unfinished"`     // writes that were interrupted, and wait for the repository
	Uncommitted int    `json:"uncommitted"`
	Problems    int    `json:"problems"`

	ProblemTypes map[string]int `json:"problem_types"` // how many of each type; see [sync.Kinds]

	CatchUp vault.Report `json:"catch_up"`

	Vectors *VectorState `json:"vectors,omitempty"` // where an embedding model is configured

	Totals journal.Totals `json:"totals"` // by kind, by piece of work and by level

	LeftOver []tier.LeftOver `json:"left_over,omitempty"` // in files that agents load

	IndexBytes int64 `json:"index_bytes"` // of the index's file; 0 where it cannot be kept

	AutoCapture AutoCapture `json:"auto_capture"` // as the person's own settings have it

	Watcher *tree.Watcher `json:"watcher"` // null when nobody watches the vault

	vault.Warned
}

// AutoCapture says whether the end of an agent's session is kept in the journal.
type AutoCapture struct {
	Enabled    bool     `json:"enabled"`
	Namespaces []string `json:"namespaces"` // in which entries are kept; empty is all
}

func autoCapture(set settings.AutoCapture) AutoCapture {
	a := AutoCapture{set.Enabled, make([]string, len(set.Namespaces))}
	for i, k := range set.Namespaces {
		a.Namespaces[i] = k.Namespace()
	}
	return a
}

// VectorState compares the vectors of a vault with its memories.
type VectorState struct {
	Model   string `json:"model"`
	Have    int    `json:"have"`
	Missing int    `json:"missing"`
	Problem string `json:"problem,omitempty"` // why it cannot be told
}

// Overview brings the index up to date and returns the vault at a glance.
func (s *Session) Overview(ctx context.Context) (Overview, error) {
	st, err := tree.ReadStatus(ctx, s.Vault)
	if err != nil {
		return Overview{}, err
	}
	c := st.Counts
	o := Overview{
		Project: s.Settings.Project, Agent: s.Agent,
		Shards:   Shards{c.Total, c.Open, c.Closed, c.Total - c.Open - c.Closed},
		Memories: c.Memories, Roots: c.Roots, MaxDepth: c.MaxDepth, Tokens: c.Tokens,
		Vault: s.Root, Index: filepath.Join(s.Root, ".cp", "index.db"),
		Branch: strings.TrimPrefix(st.Head.Branch, "refs/heads/"), Commit: st.Head.Commit, Busy: st.Head.Busy,
		Waiting: st.Waiting, Unfinished: len(st.Left), Uncommitted: c.Uncommitted, Problems: c.Problems, CatchUp: st.Report,
		Vectors: s.vectors(ctx), AutoCapture: autoCapture(s.Settings.AutoCapture),
	}
	if who, ok := s.app.Watcher(s); ok {
		o.Watcher = &who
	}
	if info, err := os.Stat(o.Index); err == nil {
		o.IndexBytes = info.Size()
	}
	if o.Totals, err = s.Tallies.Totals(ctx); err != nil {
		return o, err
	}
	if o.LeftOver, err = s.LeftOver(ctx); err != nil {
		return o, err
	}
	if o.ProblemTypes, err = s.problemTypes(ctx, c.Problems); err == nil {
		o.Status = s.health(st, o.ProblemTypes)
		s.outbox(ctx, st, &o)
	}
	return o, err
}

// outbox tells of the first write that waits and cannot be read or planned. It is asked for
// last: whatever is asked after it is told of what waits, too.
func (s *Session) outbox(ctx context.Context, st tree.Status, o *Overview) {
	damaged := st.Damaged
	if damaged == nil && o.Waiting > o.Unfinished {
		damaged = s.ShowOutbox(ctx)
	}
	if damaged == nil {
		return
	}
	if o.Warnings = append(o.Warnings, damaged.Error()); o.Status == Healthy {
		o.Status = Inconsistent
	}
}

// problemTypes counts the problems by their type, if there are any.
func (s *Session) problemTypes(ctx context.Context, n int) (map[string]int, error) {
	count := make(map[string]int)
	if n == 0 {
		return count, nil
	}
	all, err := s.Mirror.Problems(ctx)
	for _, p := range all {
		count[p.Kind]++
	}
	return count, err
}

// vectors returns how far they are; nil where no model is configured.
func (s *Session) vectors(ctx context.Context) *VectorState {
	if !s.Settings.Embedding.IsConfigured() {
		return nil
	}
	state, err := s.app.Embedder(s).State(ctx, nil)
	v := VectorState{Model: state.Space.Model, Have: state.Have, Missing: len(state.Lacking)}
	switch {
	case err != nil:
		v.Problem = err.Error()
	case state.Old:
		v.Problem = embed.Outdated + ": cp admin embed-backfill"
	}
	return &v
}

// health is the rule by which a vault is well. Problems that sync leaves by design do not
// count.
func (s *Session) health(st tree.Status, problems map[string]int) string {
	private, _ := s.Index.Private()
	switch {
	case private, !st.Report.Complete:
		return NeedsReindex
	case len(st.Left) > 0:
		return Inconsistent
	}
	for kind := range problems {
		if sync.Mends(kind) {
			return Inconsistent
		}
	}
	return Healthy
}

// GitLine tells in a line where the branch stands, and what keeps writes waiting.
func GitLine(o Overview) string {
	line := cmp.Or(o.Branch, "no branch")
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

// WatcherLine describes the watcher of the vault in a line. nil means that there is none.
func WatcherLine(who *tree.Watcher) string {
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
