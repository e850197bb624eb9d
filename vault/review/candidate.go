package review

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/kind"
)

// Candidate is what the mirror knows of a memory that may wait.
type Candidate struct {
	ID     vault.ID
	Path   vault.Path
	Title  string
	Type   string
	Status string
	Seen   int // by how many sessions it was observed

	Created, Deferred, Approved, Denied, LongTerm, Core time.Time

	WantsPlace bool // it asks for a place in the tree
	InTree     bool // it has one
	Relates    bool // it says that it relates to another memory
	Phraseless bool // its parent should say when one needs it, and does not
}

// Rules say what waits.
type Rules struct {
	LongTerm int      // sessions that an observation needs for a place in the tree
	Core     int      // sessions that a memory needs for the agents' own files
	CoreDays int      // days that it has to be in the tree before that
	Kinds    []string // entries of these kinds ask for a place, too
}

// Usual are the rules unless a vault or a person sets stricter ones.
var Usual = Rules{LongTerm: 2, Core: 3, CoreDays: 7}

// Mirror is what the queue asks of the mirror.
type Mirror interface {
	// Waiting returns the open memories that may wait under the rules, in no order.
	// Memories that were superseded are left out.
	Waiting(ctx context.Context, r Rules) ([]Candidate, error)
}

// day is what a day counts as.
const day = 24 * time.Hour

// Why returns the reason for which the memory waits at that time. ok is false if it does
// not. A memory that has several reasons waits for the first of them. One that was denied
// has that for a reason.
func (c *Candidate) Why(r Rules, now time.Time) (why Reason, ok bool) {
	switch {
	case c.Status == vault.StatusClosed:
		return "", false
	case c.IsDenied():
		return Denied, true
	case c.later(now):
		return "", false
	}
	for _, row := range []struct {
		why   Reason
		holds bool
	}{
		{Observation, c.pending(r) && c.observed() && c.Seen >= r.LongTerm},
		{Place, c.pending(r) && !c.observed()},
		{Core, c.ready(r, now)},
		{Alike, c.InTree && c.Relates && c.Type == vault.TypeMemory && c.Approved.IsZero()},
		{Phrase, c.Phraseless},
		{Deferred, !c.Deferred.IsZero()},
		{Below, c.pending(r)},
	} {
		if row.holds {
			return row.why, true
		}
	}
	return "", false
}

// IsDenied reports whether a person has denied the memory and not approved it later. Of the
// same moment the denial counts.
func (c *Candidate) IsDenied() bool { return !c.Denied.IsZero() && !c.Denied.Before(c.Approved) }

// later reports whether the memory was put off to a day that has not come, or to none.
func (c *Candidate) later(now time.Time) bool {
	return c.Deferred.After(now) || c.Status == vault.StatusDeferred && c.Deferred.IsZero()
}

func (c *Candidate) observed() bool { return c.Type == string(kind.Observation) }

// pending reports whether the memory asks for a place in the tree and has none.
func (c *Candidate) pending(r Rules) bool {
	return c.Level() == Pending && (c.observed() || c.WantsPlace || r.asks(c.Type)) && !c.InTree
}

// asks reports whether entries of the type ask for a place.
func (r Rules) asks(word string) bool {
	for _, name := range r.Kinds {
		if k, ok := kind.Of(name); ok && string(k) == word {
			return true
		}
	}
	return false
}

// ready reports whether the memory may go into the agents' own files if a person wants it.
func (c *Candidate) ready(r Rules, now time.Time) bool {
	return c.Level() == LongTerm && c.Seen >= max(r.Core, 1) && !now.Before(c.since().Add(time.Duration(r.CoreDays)*day))
}

// since is when the memory got its place in the tree.
func (c *Candidate) since() time.Time {
	if c.LongTerm.IsZero() {
		return c.Created
	}
	return c.LongTerm
}

// The levels.
const (
	Pending  = "pending"
	LongTerm = "long-term"
	InCore   = "core"
)

// Level returns how far a memory has come: a memory of the tree is long-term, and an entry
// without a place is pending.
func (c *Candidate) Level() string {
	switch {
	case !c.Core.IsZero():
		return InCore
	case !c.LongTerm.IsZero() || c.InTree:
		return LongTerm
	}
	return Pending
}
