package journal

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// Candidate is what the mirror knows of a memory that may wait. There can be many thousands:
// it has only what decides.
type Candidate struct {
	ID                  vault.ID
	Path                vault.Path // empty, and the title, where the mirror would have to look for them
	Title, Type, Status string
	WantsPlace          string
	Created, Deferred   time.Time
	Approved, DeniedAt  time.Time
	LongTerm, Core      time.Time
	Seen                int  // by how many sessions it was observed
	Relates             bool // it says that it relates to another memory
	Phraseless          bool // its parent should say when one needs it, and does not
}

// decidingHeader returns what the file's header says of it, without what does not decide.
func (c *Candidate) decidingHeader() (h vault.Header) {
	h = vault.Header{Type: c.Type, Status: c.Status, Created: c.Created, Deferred: c.Deferred}
	h.Approved, h.Denied, h.LongTerm, h.Core, h.WantsPlace = c.Approved, c.DeniedAt, c.LongTerm, c.Core, c.WantsPlace
	return h
}

// QueueRules say what waits.
type QueueRules struct {
	tier.Thresholds
	Kinds []string // entries of these kinds ask for a place in the tree, too
}

// Candidates are what may wait, in no order.
type Candidates struct {
	All   []Candidate
	Below int // how many more wait because too few sessions made them ([IsBelow])
}

// QueueMirror is what the queue asks of the mirror.
type QueueMirror interface {
	// Waiting returns the open memories that may wait under the rules. Memories that were
	// superseded are left out. below bounds those that wait for [IsBelow]: so many come, the
	// first ones in the order of [SortItems], and the others may be counted only. 0 is no bound.
	Waiting(ctx context.Context, r QueueRules, below int) (Candidates, error)
}

// Why returns the reason for which the memory waits at that time. ok is false if it does
// not. A memory that has several reasons waits for the first of them. One that was denied
// has that for a reason.
func (c *Candidate) Why(r QueueRules, now time.Time) (why Reason, ok bool) {
	h := c.decidingHeader()
	level := tier.LevelOf(&h)
	pending := level == tier.Pending || level == tier.None && r.asks(c.Type)
	switch {
	case c.Status == vault.StatusClosed:
		return "", false
	case tier.IsDenied(&h):
		return Denied, true
	case c.later(now):
		return "", false
	}
	for _, row := range []struct {
		why   Reason
		holds bool
	}{
		{ReasonObservation, pending && c.isObservation() && c.Seen >= r.ToLongTerm.MinCount},
		{ReasonPlace, pending && !c.isObservation()},
		{Core, level == tier.LongTerm && c.ready(r, now)},
		{Alike, h.InTree() && c.Relates && c.Type == vault.TypeMemory && c.Approved.IsZero()},
		{Phrase, c.Phraseless},
		{Deferred, !c.Deferred.IsZero()},
		{IsBelow, pending},
	} {
		if row.holds {
			return row.why, true
		}
	}
	return "", false
}

// later reports whether the memory was put off to a day that has not come, or to none.
func (c *Candidate) later(now time.Time) bool {
	return c.Deferred.After(now) || c.Status == vault.StatusDeferred && c.Deferred.IsZero()
}

func (c *Candidate) isObservation() bool { return c.Type == string(header.Observation) }

// asks reports whether entries of the type ask for a place.
func (r QueueRules) asks(word string) bool {
	for _, name := range r.Kinds {
		if k, ok := header.ParseKind(name); ok && string(k) == word {
			return true
		}
	}
	return false
}

// ready reports whether a long-term memory may go into the agents' own files if a person wants it.
// What no session has observed is never ready: the whole tree would wait.
func (c *Candidate) ready(r QueueRules, now time.Time) bool {
	since := c.LongTerm
	if since.IsZero() { // a memory of the tree is long-term since it was made
		since = c.Created
	}
	return c.Seen >= max(r.ToCore.MinCount, 1) && tier.Days(since, now) >= r.ToCore.MinDays
}
