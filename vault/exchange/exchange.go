package exchange

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
)

// Remote is the side of the repository that talks to others. say, which may be nil, gets
// the progress line by line.
type Remote interface {
	// Upstream returns where the branch is exchanged.
	Upstream(ctx context.Context, branch string) (vault.Upstream, error)
	// Fetch returns upstream's commit; empty when there is no such branch yet.
	Fetch(ctx context.Context, up vault.Upstream, say func(string)) (string, error)
	// Push brings a commit there and never forces it; moved says that somebody was faster.
	Push(ctx context.Context, up vault.Upstream, commit string, say func(string)) (moved bool, err error)
}

// History is the repository as an exchange needs it. One value may stand behind all of its
// ports.
type History struct {
	Ancestry
	Joins
	Outbound
	Keeper
}

// Ancestry tells how commits are related.
type Ancestry interface {
	// Includes reports whether a commit's history holds another; MergeBase returns the
	// best commit that two have in common, empty without one.
	Includes(ctx context.Context, descendant, ancestor string) (bool, error)
	MergeBase(ctx context.Context, a, b string) (string, error)
}

// Joins make trees of trees, and touch no file.
type Joins interface {
	// MergeTrees joins two commits, Rewrite replaces texts in a tree. Differences
	// lists what differs; Blob returns a stored text.
	MergeTrees(ctx context.Context, ours, theirs string) (vault.Merged, error)
	Rewrite(ctx context.Context, tree string, texts map[string][]byte) (string, error)
	Differences(ctx context.Context, from, to string) ([]vault.Difference, error)
	Blob(ctx context.Context, id string) ([]byte, error)
}

// Outbound tells what a push would bring.
type Outbound interface {
	// Outgoing calls fn for what the commits of people add and take away that a push
	// of commit would bring to upstream, whose commit is tip.
	Outgoing(ctx context.Context, commit string, up vault.Upstream, tip string, fn func(vault.Passage) error) error

	// EachPushedPath calls fn for every path that a commit touches which such a push would
	// bring to that branch, of a merge only for what is in none of its sides.
	EachPushedPath(ctx context.Context, commit string, up vault.Upstream, tip string, fn func(rev vault.Revision, path string) error) error
}

// Keeper notes what no commit of the branch tells.
type Keeper interface {
	// Pin keeps a tree, joined with upstream and in no commit yet, from a gc: until
	// another one is pinned.
	Pin(ctx context.Context, up vault.Upstream, tree string) error

	// LastSeen returns the commit of upstream that HEAD was last brought together
	// with, SetSeen notes it, and Keep keeps a commit under a ref.
	LastSeen(ctx context.Context, up vault.Upstream) (string, error)
	SetSeen(ctx context.Context, up vault.Upstream, commit string) error
	Keep(ctx context.Context, commit string, at time.Time) (string, error)
}

// Exchange is a vault with its remote side. Its fields are set where things are wired.
type Exchange struct {
	Vault    *sync.Syncer
	Remote   Remote
	History  History
	Team     Team     // where readings are shared; nil where they are not
	Counters Counters // likewise
	Prefix   string   // the vault's folder in the repository; empty at the top
	Alone    bool     // the branch holds nothing but the vault

	Pause func(ctx context.Context, try int) error // before another try at a push
	Say   func(line string)                        // hears the remote's progress; nil for nobody
}

// standing holds the positions of the branch and its upstream.
type standing struct {
	head vault.Head
	up   vault.Upstream
	tip  string // upstream's commit; empty when there is none yet
}

// fetchUpstream fetches, if the repository is free to take over what comes, and refuses a history
// that cannot be continued.
func (x *Exchange) fetchUpstream(ctx context.Context) (standing, error) {
	var at standing
	var err error
	if at.head, err = x.Vault.Store.Head(ctx); err != nil {
		return at, err
	}
	if at.head.Busy != "" {
		return at, vault.Standstill(at.head.Busy)
	}
	if at.up, err = x.Remote.Upstream(ctx, at.head.Branch); err != nil {
		return at, err
	}
	if at.tip, err = x.Remote.Fetch(ctx, at.up, x.Say); err == nil && at.tip != "" {
		err = x.sound(ctx, at)
	}
	return at, err
}
