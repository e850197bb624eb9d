package sanj

import (
	"cmp"
	"path"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// The files in the folder of that program.
const (
	ObservationsName = "observations.json"
	LongTermName     = "long-term-memory.md"
)

// Source is what one file holds.
type Source struct {
	Name     string
	Items    []tier.Item
	Warnings []string // what in it cannot be read
	Err      error    // why nothing of it can be read; nil if it can
}

// Read reads a file: one whose name ends in .md as a view of long-term memory, any other as
// JSON. now is when an item without a date became long-term.
func Read(name string, text []byte, now time.Time) Source {
	s := Source{Name: name}
	if path.Ext(name) == ".md" {
		s.Items, s.Warnings = tier.ParseView(string(text), now.UTC().Truncate(time.Second))
	} else {
		s.Items, s.Warnings, s.Err = tier.ReadItems(text)
	}
	return s
}

// known is one observation, put together from all the sources that tell of it.
type known struct {
	tier.Item
	source string // that told of it first
}

// union puts the items of one text together, in the order in which they come. refused tells
// of each item that cannot be an observation.
func union(sources []Source, prefix string, refused func(source string, i tier.Item, err error)) (ids []vault.ID, all map[vault.ID]*known) {
	all = make(map[vault.ID]*known)
	for _, s := range sources {
		for _, i := range s.Items {
			id, err := tier.Key(prefix, i.Text)
			if err = cmp.Or(err, check(i)); err != nil {
				refused(s.Name, i, err)
				continue
			}
			if k := all[id]; k != nil {
				k.join(i)
				continue
			}
			ids, all[id] = append(ids, id), &known{i, s.Name}
		}
	}
	return ids, all
}

// check refuses what cannot be written.
func check(i tier.Item) error {
	return cmp.Or(journal.CheckBody(i.Text), vault.CheckLine("session", i.Sessions...), vault.CheckLine("id", i.ID))
}

// join adds what another source says of the same text. The date of a promotion that the first
// one gives stays: a view has none of its own.
func (k *known) join(o tier.Item) {
	count := max(k.Seen(), o.Seen())
	forCore := ready(k.Item) || ready(o)
	k.Sessions = append(k.Sessions, o.Sessions...)
	k.Count = count
	k.FirstSeen = first(k.FirstSeen, o.FirstSeen)
	k.LastSeen, k.Denied, k.Approved, k.Core = last(k.LastSeen, o.LastSeen), last(k.Denied, o.Denied), last(k.Approved, o.Approved), last(k.Core, o.Core)
	if k.LongTerm.IsZero() {
		k.LongTerm = o.LongTerm
	}
	if forCore && !k.Approved.After(k.LongTerm) {
		k.Approved = tier.Later(k.LongTerm, k.LongTerm)
	}
}

// ready reports whether a person has approved an item for core.
func ready(i tier.Item) bool { return !i.LongTerm.IsZero() && i.Approved.After(i.LongTerm) }

// first returns the earlier of two times; one that is zero is none.
func first(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// last returns the later of two times.
func last(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
