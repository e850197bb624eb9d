package exchange_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/exchange"
	"github.com/cp-memory/cp/vault/sync"
)

type (
	files = vaultmap.Files
	world = vaultmap.World
)

// remote is a repository with a branch upstream. The vault's first commit is where the two
// histories part; every commit of the branch holds all files, as the vault's do.
type remote struct {
	*world
	theirs []files // upstream's commits after the first one, the oldest first
	none   bool    // upstream has no branch
	apart  bool    // the two histories have nothing in common
	seen   string
	kept   int // how often HEAD was kept under a ref
	pinned string

	trees   []files // that were made in the object database
	blobs   map[string]string
	moved   int // so many pushes find that others were faster
	pushed  []string
	leaks   []vault.Passage
	touched []string // paths of the commits of people that a push would bring
	op      string   // of the commit that touches them
	counts  error    // of the team's readings
	said    []string // what was shared of them
}

// newRemote returns a vault that holds ours, and upstream theirs. Both began as start.
func newRemote(start, ours files, theirs ...files) *remote {
	r := &remote{world: vaultmap.New(start), theirs: theirs, blobs: make(map[string]string)}
	if ours != nil {
		r.world.Disk = maps.Clone(ours)
		r.world.Commit("ours")
		vaultmap.Seen()(r.world)
	}
	r.world.Blob = func(id string) string { return r.blobs[id] }
	return r
}

// exchange returns the vault with its remote side.
func (r *remote) exchange() *exchange.Exchange {
	return &exchange.Exchange{Vault: &sync.Syncer{Vault: r.Vault}, Remote: r, Team: r, Counters: r,
		History: exchange.History{Ancestry: r, Joins: r, Outbound: r, Keeper: r},
		Pause:   func(context.Context, int) error { return nil }}
}

// theirsID is the id of upstream's nth commit.
func theirsID(n int) string { return fmt.Sprintf("%040x", 1000+n) }

// of returns what a commit or tree holds, its blobs noted.
func (r *remote) of(id string) files {
	all := r.At(id)
	var n int
	if _, err := fmt.Sscanf(id, "%x", &n); err == nil && n > 1000 && n-1001 < len(r.theirs) {
		all = r.theirs[n-1001]
	} else if _, err := fmt.Sscanf(id, "tree-%d", &n); err == nil {
		all = r.trees[n]
	}
	for _, text := range all {
		r.blobs[r.Vault.Store.BlobID([]byte(text))] = text
	}
	return all
}

func (r *remote) Upstream(context.Context, string) (vault.Upstream, error) {
	return vault.Upstream{Remote: "origin", Ref: "refs/heads/main"}, nil
}

func (r *remote) Fetch(context.Context, vault.Upstream, func(string)) (string, error) {
	switch {
	case r.none:
		return "", nil
	case len(r.theirs) == 0:
		return fmt.Sprintf("%040x", 1), nil
	}
	return theirsID(len(r.theirs)), nil
}

func (r *remote) Push(_ context.Context, _ vault.Upstream, commit string, _ func(string)) (bool, error) {
	if r.moved > 0 {
		r.moved--
		return true, nil
	}
	r.pushed = append(r.pushed, commit)
	return false, nil
}

// mine and others number the commits of the two sides; 0 is none of that side.
func mine(id string) (n int)   { return number(id, 0, 1000) }
func others(id string) (n int) { return number(id, 1000, 2000) }

func number(id string, low, high int) (n int) {
	if _, err := fmt.Sscanf(id, "%x", &n); err != nil || n <= low || n > high {
		return 0
	}
	return n - low
}

func (r *remote) Includes(_ context.Context, newer, older string) (bool, error) {
	switch {
	case newer == older:
		return true, nil
	case newer == "":
		return false, nil
	case mine(newer) > 0 && mine(older) > 0:
		return mine(older) <= mine(newer), nil
	case others(newer) > 0 && others(older) > 0:
		return others(older) <= others(newer), nil
	case others(newer) > 0:
		return mine(older) == 1 && !r.apart, nil
	}
	for _, plan := range r.Plans { // of ours, that took theirs over
		if j := plan.Join; j != nil && others(older) <= others(j.Commit) && newer != j.Base {
			return true, nil
		}
	}
	return false, nil
}

func (r *remote) MergeBase(context.Context, string, string) (string, error) {
	if r.apart {
		return "", nil
	}
	return fmt.Sprintf("%040x", 1), nil
}

// tree keeps files as a tree and returns its id.
func (r *remote) tree(all files) string {
	r.trees = append(r.trees, all)
	return fmt.Sprintf("tree-%d", len(r.trees)-1)
}

func (r *remote) MergeTrees(_ context.Context, ours, theirs string) (m vault.Merged, err error) {
	base, a, b := r.of(fmt.Sprintf("%040x", 1)), r.of(ours), r.of(theirs)
	joined, all := files{}, maps.Clone(base)
	maps.Copy(all, a)
	maps.Copy(all, b)
	id := func(text string) string {
		if text == "" {
			return ""
		}
		return r.Vault.Store.BlobID([]byte(text))
	}
	for _, p := range slices.Sorted(maps.Keys(all)) {
		text := a[p]
		switch {
		case a[p] == base[p]:
			text = b[p]
		case a[p] != b[p] && b[p] != base[p]:
			c := vault.Clash{Path: string(p), Kind: "contents", Base: id(base[p]), Ours: id(a[p]), Theirs: id(b[p])}
			if c.Ours == "" || c.Theirs == "" {
				c.Kind, text = "modify/delete", a[p]+b[p]
			}
			m.Clashes = append(m.Clashes, c)
		}
		if text != "" {
			joined[p] = text
		}
	}
	m.Tree = r.tree(joined)
	return m, nil
}

func (r *remote) Rewrite(_ context.Context, tree string, texts map[string][]byte) (string, error) {
	all := maps.Clone(r.of(tree))
	for p, text := range texts {
		all[vault.Path(p)] = string(text)
	}
	return r.tree(all), nil
}

func (r *remote) Differences(_ context.Context, from, to string) (all []vault.Difference, err error) {
	was, is := r.of(from), r.of(to)
	both := maps.Clone(was)
	if both == nil {
		both = files{}
	}
	maps.Copy(both, is)
	for _, p := range slices.Sorted(maps.Keys(both)) {
		if was[p] == is[p] {
			continue
		}
		d := vault.Difference{Path: string(p)}
		if was[p] != "" {
			d.From = r.Vault.Store.BlobID([]byte(was[p]))
		}
		if is[p] != "" {
			d.Into = r.Vault.Store.BlobID([]byte(is[p]))
		}
		all = append(all, d)
	}
	return all, nil
}

func (r *remote) Blob(_ context.Context, id string) ([]byte, error) {
	return []byte(r.blobs[id]), nil
}

func (r *remote) Outgoing(_ context.Context, _ string, _ vault.Upstream, _ string, fn func(vault.Passage) error) error {
	for _, p := range r.leaks {
		if err := fn(p); err != nil {
			return err
		}
	}
	return nil
}

func (r *remote) EachPushedPath(_ context.Context, commit string, _ vault.Upstream, _ string, fn func(vault.Revision, string) error) error {
	for _, p := range r.touched {
		if err := fn(vault.Revision{Commit: commit, Subject: "fix it", Op: r.op}, p); err != nil {
			return err
		}
	}
	return nil
}

func (r *remote) Pin(_ context.Context, _ vault.Upstream, tree string) error {
	r.pinned = tree
	return nil
}
func (r *remote) LastSeen(context.Context, vault.Upstream) (string, error) { return r.seen, nil }
func (r *remote) SetSeen(_ context.Context, _ vault.Upstream, commit string) error {
	r.seen = commit
	return nil
}
func (r *remote) Keep(context.Context, string, time.Time) (string, error) {
	r.kept++
	return "refs/cp/kept/1", nil
}

func (r *remote) Counts(context.Context, vault.Upstream) (map[string][]byte, error) {
	return map[string][]byte{"other": []byte("2")}, r.counts
}
func (r *remote) GiveCounts(_ context.Context, _ vault.Upstream, clone string, counts []byte, _ func(string)) error {
	r.said = append(r.said, clone+" gave "+string(counts))
	return r.counts
}
func (r *remote) Own(context.Context) (string, []byte, error) { return "mine", []byte("1"), nil }
func (r *remote) Take(_ context.Context, counts map[string][]byte) error {
	for _, clone := range slices.Sorted(maps.Keys(counts)) {
		r.said = append(r.said, "took "+clone)
	}
	return nil
}

// passage is what a commit adds to a file, or takes away.
func passage(commit, text string, gone bool) vault.Passage {
	return vault.Passage{Commit: commit, Path: "deploy.md", Line: 3, Gone: gone, Text: bytes.Clone([]byte(text))}
}

var errDown = errors.New("the remote is down")
