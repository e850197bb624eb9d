package vault

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"
)

// Vault is an open vault. Its fields are set where things are wired.
type Vault struct {
	Store  Store
	Mirror Mirror
	Usage  Usage

	// Glimpse returns nil if the mirror has rows. A nil function says that it always has.
	Glimpse func(ctx context.Context, ref string) (*Glimpse, error)

	// Aside has the mirror go on with a copy in memory, see [Vault.ShowOutbox]. A nil function says
	// that what waits is not shown.
	Aside func(ctx context.Context) error

	// Deliverable are the verbs that may wait in the outbox, by name: each returns a
	// pointer to empty options, which take up the JSON that was queued.
	Deliverable map[string]func() Verb[Delivered]

	// Copies finds the sections of memories in files that agents load. A nil function finds
	// none.
	Copies func(ctx context.Context) []Copy

	// CodeStates tells how the code stands that memories are about, of those that are about some: of the
	// ids, or of m alone as its file says it. A nil function knows none.
	CodeStates func(ctx context.Context, ids []ID, m *Memory) map[ID]*CodeState

	// Protect refuses what a write may not change, once it is planned. A nil function refuses
	// nothing.
	Protect func(ctx context.Context, tx *Tx, c *Change) error

	Prefix  string           // of new ids
	Hidden  bool             // new pointer blocks are hidden
	Agent   string           // author and creator of every write
	Part    string           // the memory of the part of the vault in which new ones without a place belong; empty is the vault
	Hasty   bool             // a View does not wait for a process that holds the mirror, and shows it as it is
	NoAdopt bool             // what sync would adopt is left alone: files that are in no commit
	Now     func() time.Time // the clock
	Random  io.Reader        // for ids

	waiting map[ID]Mark // what the outbox will make; see Ahead
}

// View brings the mirror up to date as far as scope says and hands its tree to fn.
func (v *Vault) View(ctx context.Context, scope Scope, fn func(Tree) error) error {
	if !scope.None {
		if _, err := v.CatchUp(ctx, scope); err != nil && !v.passes(err) {
			return err
		}
	}
	return fn(v.Mirror.Tree)
}

// passes reports whether a View goes on after a catch-up that failed.
func (v *Vault) passes(err error) bool { return v.Hasty && CodeOf(err) == CodeLocked }

// CatchUp brings the mirror up to date. If HEAD or files changed, git may have taken away
// what nobody wanted removed; that comes back first.
func (v *Vault) CatchUp(ctx context.Context, scope Scope) (Report, error) {
	report, err := v.Mirror.CatchUp(ctx, v.Store.Source, scope)
	if err != nil || !report.Differs() || !v.Store.Remake(ctx) {
		return report, err
	}
	return v.Mirror.CatchUp(ctx, v.Store.Source, scope)
}

// Plan decides what to change, on the tree as it is under the lock. It may be called more
// than once and changes nothing itself.
type Plan func(ctx context.Context, t Tree) (*Change, error)

// Update locks the vault, catches up, plans, commits, applies the change to the
// mirror and unlocks. An empty change makes no commit.
func (v *Vault) Update(ctx context.Context, verb string, scope Scope, plan Plan) (Receipt, error) {
	unlock, err := v.Store.Lock(ctx, verb)
	if err != nil {
		return Receipt{}, err
	}
	defer unlock()
	for try := 1; ; try++ {
		receipt, err := v.attempt(ctx, scope, plan, try == planTries)
		if !errors.Is(err, errMoved) {
			return receipt, err
		}
	}
}

// attempt plans and commits once. The last attempt commits even if an answer has changed
// meanwhile.
func (v *Vault) attempt(ctx context.Context, scope Scope, plan Plan, last bool) (Receipt, error) {
	change, err := v.plan(ctx, scope, plan)
	if err == nil && change != nil && change.Empty() && change.Queued != nil { // else it would wait for ever
		err = v.Store.Unqueue(ctx, *change.Queued)
	}
	if err != nil || change.Empty() {
		return Receipt{}, v.meanwhile(ctx, err)
	}
	if last {
		change.holds = nil
	}
	if err := v.keepSecrets(ctx, change); err != nil {
		return Receipt{}, err
	}
	change.Agent = cmp.Or(change.Agent, v.Agent)
	receipt, err := v.Store.Commit(ctx, change)
	if err != nil {
		return Receipt{}, err
	}
	receipt.Behind = v.tellMirror(ctx, change, receipt)
	receipt.Notes = append(receipt.Notes, firstCommit(change.Verb, receipt)...)
	return receipt, nil
}

// firstCommit names the files whose text a command committed for the first time, along
// with its own work. If the verb's purpose was to commit them, its answer names them.
func firstCommit(verb string, r Receipt) (notes []string) {
	switch verb {
	case "sync", "edit", "undo":
		return nil
	}
	for _, p := range r.Adopted {
		notes = append(notes, string(p)+" was in no commit: all of its text is in this one now")
	}
	return notes
}

// meanwhile says of a file that a merge has filled with conflict markers what a
// person has to finish, instead of how damaged it looks.
func (v *Vault) meanwhile(ctx context.Context, err error) error {
	if CodeOf(err) != CodeDamaged {
		return err
	}
	head, herr := v.Store.Head(ctx)
	if herr != nil || head.Busy == "" || strings.Contains(head.Busy, " ") { // "detached HEAD" fills no file
		return err
	}
	return Standstill(head.Busy)
}

// plan catches up and calls the plan.
func (v *Vault) plan(ctx context.Context, scope Scope, plan Plan) (*Change, error) {
	var change *Change
	err := v.View(ctx, scope, func(t Tree) (err error) {
		change, err = plan(ctx, t)
		return err
	})
	return change, err
}

// tellMirror tells the mirror and the telemetry. Neither can undo the write, so
// their failures are left for the next catch-up.
func (v *Vault) tellMirror(ctx context.Context, c *Change, r Receipt) error {
	if len(c.Gone) > 0 {
		_ = v.Usage.Forget(ctx, c.Gone)
	}
	return v.Mirror.ApplyReceipt(ctx, v.Store.Source, r)
}
