package exchange

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Push brings the branch to the one upstream, after taking over what is there.
type Push struct {
	DryRun      bool
	AllowShrink bool // also when a large part of the vault would go at once
	AllowSecret bool // also what looks like a credential
	Sync        bool // first take up what was changed by hand
}

// Pushed is the outcome of Push.
type Pushed struct {
	Upstream string        `json:"upstream"`
	Pushed   bool          `json:"pushed"` // false when upstream had it all; with DryRun, whether there is something
	Commit   string        `json:"commit"` // HEAD
	Tries    int           `json:"tries"`
	Pulled   []Pulled      `json:"pulled"`         // what came, try by try; none when nothing did
	Synced   *vault.Synced `json:"sync,omitempty"` // of the pass before it
	Warnings []string      `json:"-"`
}

// maxTries is how often a push is tried that others were faster than.
const maxTries = 10

// Push takes over what upstream has and brings it what HEAD has. Where another
// push was faster it does both again.
func (x *Exchange) Push(ctx context.Context, o Push) (Pushed, error) {
	out := Pushed{Pulled: []Pulled{}}
	if o.Sync {
		synced, err := x.Vault.Sync(ctx, vault.Sync{DryRun: o.DryRun, AllowSecret: o.AllowSecret})
		if err != nil {
			return out, err
		}
		out.Synced = &synced
	}
	for out.Tries = 1; ; out.Tries++ {
		again, up, err := x.push(ctx, o, &out)
		if err == nil && !again && !o.DryRun {
			out.Warnings = append(out.Warnings, x.giveCounts(ctx, up)...)
		}
		if err != nil || !again {
			return out, err
		}
		if out.Tries == maxTries {
			return out, vault.Errorf(vault.CodeRemote, "run the command again; your commits are all here", "others were faster %d times", maxTries)
		}
		if err := x.Pause(ctx, out.Tries); err != nil {
			return out, err
		}
	}
}

// push tries once; again says that another push was faster.
func (x *Exchange) push(ctx context.Context, o Push, out *Pushed) (again bool, up vault.Upstream, err error) {
	p, err := x.Pull(ctx, Pull{DryRun: o.DryRun, AllowShrink: o.AllowShrink})
	out.Upstream, out.Commit = p.Upstream, p.Commit
	out.Warnings = append(out.Warnings, p.Warnings...)
	if p.Outcome == FastForward || p.Outcome == Merged {
		out.Pulled = append(out.Pulled, p)
	}
	if err == nil && p.Outgoing && !o.AllowSecret {
		err = x.keepSecrets(ctx, p.at, p.Commit)
	}
	if err != nil || !p.Outgoing || o.DryRun {
		out.Pushed = err == nil && p.Outgoing
		return false, p.at.up, err
	}
	again, err = x.Remote.Push(ctx, p.at.up, p.Commit, x.Say)
	out.Pushed = err == nil && !again
	return again, p.at.up, err
}
