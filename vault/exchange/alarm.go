package exchange

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// An upstream that is suddenly much smaller is an alarm, not an order: a pull
// that would take away more than goneMany memories and more than one in
// goneShare of them stops (letta-code 2153, 2203).
const (
	goneMany  = 10
	goneShare = 5
)

// sound refuses a history that was rewritten since it was last seen, and one that shares
// nothing with ours. Ours is kept under a ref.
func (x *Exchange) sound(ctx context.Context, at standing) error {
	if at.head.Commit == "" {
		return nil
	}
	base, err := x.History.MergeBase(ctx, at.head.Commit, at.tip)
	if err != nil {
		return err
	}
	if base == "" {
		return x.stop(ctx, at, "git merge --allow-unrelated-histories "+at.tip, "%s has no history in common with yours", at.up)
	}
	seen, err := x.History.LastSeen(ctx, at.up)
	if err != nil || seen == "" {
		return err
	}
	if holds, err := x.History.Includes(ctx, at.tip, seen); holds || err != nil {
		return err
	}
	// A person who has left the old history behind, by a rebase say, accepts the new one.
	if holds, err := x.History.Includes(ctx, at.head.Commit, seen); !holds || err != nil {
		return err
	}
	return x.stop(ctx, at, "look at it with: git log "+at.tip+"; to go on with it: git rebase --onto "+at.tip+" "+seen,
		"the history of %s was rewritten: it no longer holds %.10s", at.up, seen)
}

// stop keeps HEAD under a ref and tells why nothing more was done.
func (x *Exchange) stop(ctx context.Context, at standing, hint, format string, args ...any) error {
	ref, err := x.History.Keep(ctx, at.head.Commit, x.Vault.Now())
	if err != nil {
		return err
	}
	return vault.Errorf(vault.CodeDiverged, hint, format+"; nothing has changed, and your commits are kept as %s", append(args, ref)...)
}

// shrinks is the alarm. A memory that moved has gone nowhere.
func (x *Exchange) shrinks(ctx context.Context, o Pull, head string, different []vault.Difference) error {
	gone := 0
	for _, d := range different {
		if !x.isMemoryFile(d.Path) {
			continue
		}
		switch {
		case d.Into == "":
			gone++
		case d.From == "":
			gone--
		}
	}
	if o.AllowShrink || gone <= goneMany {
		return nil
	}
	all := 0
	err := x.Vault.Store.Changes(ctx, "", head, func(p vault.Path, _ string) error {
		if !p.IsFacts() {
			all++
		}
		return nil
	})
	if err != nil || gone*goneShare <= all {
		return err
	}
	return vault.Errorf(vault.CodeConfirm, "look at it with --dry-run --allow-shrink; take it over with --allow-shrink",
		"what came takes away %d of %d memories; nothing has changed", gone, all)
}
