package vault

import (
	"context"
)

// Verb is one write as a value: an options struct. Flags, the lines of a batch, the
// outbox, tools and forms fill it alike.
//
// Plan decides what to change and plans it on the [Tx]. R is the answer for the caller.
// Plan sees only the Tx, never changes the verb, and may be called again; on the same
// vault it plans the same.
type Verb[R any] interface {
	Name() string // in the commit's trailer Cp-Verb, in the outbox, of a tool
	Plan(ctx context.Context, tx *Tx) (R, error)
}

// Options say how a verb is to be done. The zero value does it.
type Options struct {
	DryRun      bool // plan, change nothing, wait for no lock
	Queue       bool // while the repository is busy, keep the verb in the outbox; see [Receipt.Waits]
	AllowSecret bool // commit also what looks like a credential
}

// Do is the way to write: it takes the lock, catches up, has the verb plan,
// refuses credentials, commits and brings the mirror up to date. Where what the
// plan has read says something else before the commit is written, it plans again.
// A plan that changes nothing makes no commit; the receipt's Commit is then empty.
// Copies of memories that end by it, in files that agents load, go in the same write.
func Do[R any](ctx context.Context, v *Vault, verb Verb[R], o Options) (out R, receipt Receipt, err error) {
	var same fixed
	var notes []string
	plan := func(ctx context.Context, t Tree) (*Change, error) {
		tx := v.begin(t, &same)
		tx.reads.binding = true
		if out, err = verb.Plan(ctx, tx); err != nil {
			return nil, err
		}
		change, err := tx.plannedChange(verb.Name(), o)
		if err == nil && v.Protect != nil {
			err = v.Protect(ctx, tx, change)
		}
		if err == nil {
			err = tx.raiseFormat(ctx, change)
		}
		if err == nil {
			err = tx.admitFacts(ctx, change)
		}
		if err == nil {
			notes, err = tx.endCopies(ctx, change)
		}
		return change, err
	}
	if o.DryRun {
		change, err := v.plan(ctx, Scope{None: true}, plan)
		if err == nil && !change.Empty() {
			err = v.Store.Rehearse(ctx, change)
		}
		return out, receipt, err
	}
	receipt, err = v.Update(ctx, verb.Name(), Scope{None: true}, plan)
	if err == nil {
		receipt.Notes = append(receipt.Notes, notes...)
	}
	if o.Queue && CodeOf(err) == CodeBusy {
		receipt.Waits = err
		err = v.queue(ctx, verb.Name(), verb)
	}
	return out, receipt, err
}

// Warned is what an outcome says beside itself, to a person. Outcomes embed it; it is no part
// of their JSON.
type Warned struct {
	Warnings []string `json:"-"`
}

// Warn adds to the warnings.
func (w *Warned) Warn(more ...string) { w.Warnings = append(w.Warnings, more...) }

// ListWarnings returns them, for a face that knows no more of an outcome.
func (w Warned) ListWarnings() []string { return w.Warnings }

// Run is Do for a verb whose outcome says all: what the receipt tells is among its warnings.
func Run[R any, W interface {
	*R
	Warn(more ...string)
}](ctx context.Context, v *Vault, verb Verb[R], o Options) (R, error) {
	out, receipt, err := Do(ctx, v, verb, o)
	W(&out).Warn(receipt.Notes...)
	return out, err
}

// Preview returns what the verb would answer now. It changes nothing, waits for no
// lock and, unlike a dry run of [Do], does not ask whether the repository would
// take a commit.
func Preview[R any](ctx context.Context, v *Vault, verb Verb[R]) (R, error) {
	return verb.Plan(ctx, v.Reading())
}
