package exchange

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
)

// Push brings the branch to its upstream, after taking over the upstream's commits.
type Push struct {
	DryRun      bool
	AllowShrink bool // also when a large part of the vault would go at once
	AllowSecret bool // also what looks like a credential
	WithCode    bool // also commits that touch what is no memory
	Sync        bool // first take up what was changed by hand
}

// Pushed is the outcome of Push.
type Pushed struct {
	Upstream  string       `json:"upstream"`
	Pushed    bool         `json:"pushed"`     // false when upstream had it all, and with DryRun
	WouldPush bool         `json:"would_push"` // with DryRun, whether there is something
	Commit    string       `json:"commit"`     // HEAD
	Tries     int          `json:"tries"`
	Pulled    []Pulled     `json:"pulled"`         // what came, try by try; none when nothing did
	Synced    *sync.Synced `json:"sync,omitempty"` // of the pass before it
	vault.Warned
}

// Left lists what the passes of sync have left to be mended, as it stands after the last one.
func (p Pushed) Left() []sync.Left {
	if p.Synced == nil {
		return nil
	}
	left := p.Synced.Left
	for _, came := range p.Pulled {
		if came.Synced != nil {
			left = came.Synced.Left
		}
	}
	return left
}

// maxTries bounds the tries of a push while others are faster.
const maxTries = 10

// Push takes over what upstream has and brings it what HEAD has. Where another
// push was faster it does both again.
func (x *Exchange) Push(ctx context.Context, o Push) (Pushed, error) {
	out := Pushed{Pulled: []Pulled{}}
	if o.Sync {
		synced, err := x.Vault.Sync(ctx, sync.Options{DryRun: o.DryRun, AllowSecret: o.AllowSecret})
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
	at, err := x.fetchUpstream(ctx)
	if err == nil {
		err = x.mayGo(ctx, o, at, at.head.Commit)
	}
	if err != nil {
		return false, at.up, err
	}
	p, err := x.bring(ctx, Pull{DryRun: o.DryRun, AllowShrink: o.AllowShrink}, at)
	out.Upstream, out.Commit = p.Upstream, p.Commit
	out.Warnings = append(out.Warnings, p.Warnings...)
	if p.Outcome == FastForward || p.Outcome == Merged {
		out.Pulled = append(out.Pulled, p)
	}
	if o.DryRun {
		out.WouldPush = err == nil && (p.Outgoing || out.Synced != nil && slices.ContainsFunc(out.Synced.Discrepancies, isCommitted))
	}
	if err != nil || !p.Outgoing || o.DryRun {
		return false, at.up, err
	}
	if p.Commit != at.head.Commit {
		if err := x.mayGo(ctx, o, at, p.Commit); err != nil {
			return false, at.up, err
		}
	}
	again, err = x.Remote.Push(ctx, at.up, p.Commit, x.Say)
	out.Pushed = err == nil && !again
	return again, at.up, err
}

// isCommitted reports whether a sync commits something for it.
func isCommitted(d sync.Discrepancy) bool { return d.Fixed != "" }

// mayGo refuses commits that a push would publish for ever and that nobody released. A
// pull and a structural pass add none; a person may add one at the same time.
func (x *Exchange) mayGo(ctx context.Context, o Push, at standing, commit string) error {
	if commit == "" {
		return nil
	}
	if !o.WithCode && !x.Alone {
		if err := x.keepWork(ctx, at, commit); err != nil {
			return err
		}
	}
	if o.AllowSecret {
		return nil
	}
	return x.keepSecrets(ctx, at, commit)
}
