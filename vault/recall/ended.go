package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/header"
)

// Ended says which of the memories that have ended, or are put off, answer. Where the filter
// names a status that decides, and of kinds alone all answer.
type Ended int

// Each but the last says what answers beside what is open.
const (
	AsFiltered   Ended = iota // nothing
	Counted                   // nothing; the answer counts the closed and deferred ones that would be among its rows
	WithClosed                // what is closed
	WithAside                 // what is closed or deferred
	WithoutEnded              // nothing, and what was superseded does not answer, nor what is closed of kinds alone
)

// asideCandidates is the number of closed and deferred candidates that are read and scored. They
// have it to themselves: however many there are, the open ones keep theirs.
const asideCandidates = 50

// findAside finds what the filter leaves out because it is closed or deferred. It is scored by the sums and on
// the scale of what was found before, and neither lends to that nor borrows of it, so that the open
// memories answer as they do without it.
func (r *run) findAside(ctx context.Context) ([]candidate, error) {
	if r.q.Ended == AsFiltered || r.q.Ended == WithoutEnded || len(r.q.Filter.Status) > 0 {
		return nil, nil
	}
	aside := *r
	aside.all, aside.members = nil, slices.Clone(r.members)
	limit := max(asideCandidates, r.q.Filter.Offset+r.q.Filter.Limit)
	bar := family.NewBar(limit)
	for i := range aside.members {
		o := &aside.members[i].Options
		if o.Hidden, o.Limit = true, limit; o.Bar != nil {
			o.Bar = bar
		}
		if r.q.Ended == WithClosed {
			o.Status = []string{vault.StatusClosed}
		}
	}
	if err := aside.searchWords(ctx); err != nil {
		return nil, err
	}
	aside.mixLegs(ctx)
	for i := range aside.all {
		aside.all[i].aside = true
	}
	r.answer.Failed = aside.answer.Failed
	return aside.all, nil
}

// joinAside adds what is closed or deferred to the candidates, or counts it.
func (r *run) joinAside(aside []candidate) {
	if len(aside) == 0 {
		return
	}
	both := *r
	both.all = slices.Concat(r.all, aside)
	slices.SortStableFunc(both.all, func(a, b candidate) int { return cmp.Compare(b.mixed, a.mixed) })
	if r.q.Ended != Counted {
		r.all = both.all
		return
	}
	both.place()
	for _, c := range both.all[min(r.q.Filter.Offset, len(both.all)):min(r.q.Filter.Offset+r.q.Filter.Limit, len(both.all))] {
		switch {
		case c.aside && c.isClosed():
			r.answer.Closed++
		case c.aside:
			r.answer.Deferred++
		}
	}
}

func (c *candidate) isClosed() bool { return c.Status == vault.StatusClosed }

// dropSuperseded leaves out what another memory has replaced.
func (r *run) dropSuperseded() {
	r.all = slices.DeleteFunc(r.all, func(c candidate) bool { return c.Superseded != "" })
}

// Ending is how a memory ended, and when, as far as its file says.
type Ending struct {
	Successor string    `json:"superseded_by_title,omitempty"` // what Superseded is called; empty where that is gone
	Replaced  time.Time `json:"superseded_at,omitzero"`
	Resolved  time.Time `json:"resolved_at,omitzero"` // this and the next of a closed one alone
	How       string    `json:"resolution,omitempty"`
	successor vault.ID  // what Superseded leads to; empty where that is gone
}

// endingOf returns the ending of a candidate. m is what its file says, nil where that is gone.
func (r *run) endingOf(ctx context.Context, c *candidate, m *vault.Memory) (e Ending) {
	if m != nil && c.Superseded != "" {
		e.Replaced = m.Replaced
	}
	if m != nil && c.isClosed() {
		e.Resolved, e.How = m.Resolved, m.Resolution
	}
	if c.Superseded == "" {
		return e
	}
	ref := string(c.Superseded) // a path or a title, where a person wrote it
	by, err := r.members[c.member].Reading().Open(ctx, ref)
	if err == nil && (by.ID == c.Superseded || !strings.HasPrefix(string(by.ID), ref)) { // another id that begins so is not meant
		e.successor, e.Successor = by.ID, by.Title
	}
	return e
}

// Endings tells how the memory ended, for people and agents: what has its place, and how it was
// closed.
//
//	superseded by pf-7k2m9qx4 Ports, 2026-03-01
//	resolved 2026-03-02: The order is in the job now.
func (row *Row) Endings() (all []string) {
	if row.Superseded != "" {
		said := strings.TrimSpace("superseded by " + string(cmp.Or(row.successor, row.Superseded)) + " " + vault.Clip(row.Successor, longEnding))
		all = append(all, appendPart(said, ", ", header.FormatDay(row.Replaced)))
	}
	switch {
	case row.Status != vault.StatusClosed:
	case row.Resolved.IsZero() && row.How == "":
		all = append(all, "closed")
	default:
		all = append(all, appendPart(appendPart("resolved", " ", header.FormatDay(row.Resolved)), ": ", vault.Clip(row.How, longEnding)))
	}
	return all
}

// longEnding are the characters of a title or a resolution that a mark has at most.
const longEnding = 160

func appendPart(said, between, part string) string {
	if part == "" {
		return said
	}
	return said + between + part
}
